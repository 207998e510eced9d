"""What scripts of these tests print of a check, and the names of those that failed."""
FAILED = []


def check(name, good, more=""):
    print(f"{'ok' if good else 'not ok'} - {name}" + ("" if good else f"\n#   {more}"))
    if not good:
        FAILED.append(name)
