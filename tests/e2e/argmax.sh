#!/bin/sh
# Outputs for classes as a user meets them: the report has no thresholds, predictions count as many wrong cases as the report.
. "$(dirname "$0")/lib"

awk 'BEGIN { srand(3); print "a,b,kind"
    for (i = 0; i < 240; i++) { k = i % 3; split("0 2 4", x, " "); split("0 3 0", y, " "); split("red green blue", w, " ")
        printf "%.4f,%.4f,%s\n", x[k + 1] + rand() * 3 - 1.5, y[k + 1] + rand() * 3 - 1.5, w[k + 1] } }' >clouds.csv
grampus run --data clouds.csv --target kind --categories --metric misclassified --class-rule argmax --generations 5 \
    --device cpu --output results
folder=$(echo results/*/*)
check "a run" [ "$code" -eq 0 ]
check "an output for every class" grep -q '^best  *argmax(.*,.*,.*)' out
check "no thresholds are told" sh -c '! grep -q "^thresholds" out'
told=$(sed -n 's/^misclassified \([0-9]*\).*/\1/p' out)
"$GRAMPUS" predict "$folder" --data clouds.csv >predicted.txt 2>/dev/null
tail -n 240 predicted.txt >labels.txt
tail -n 240 clouds.csv | cut -d , -f 3 >kinds.txt
check "predictions: $told wrong ones" [ "$(paste -d , kinds.txt labels.txt | awk -F , '$1 != $2' | wc -l)" -eq "$told" ]
exit $FAILED
