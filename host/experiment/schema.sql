-- The tables of an experiment or of a single run (user_version 1). `generations` is made beside them from the columns
-- of statistics.tsv (schema.c). NULL: there is no such value. An infinite fitness is an infinite REAL.

CREATE TABLE experiment (          -- one row
  name TEXT NOT NULL,
  grampus TEXT NOT NULL,           -- version of the program that made this file
  machine TEXT NOT NULL,           -- processors, threads, operating system
  started TEXT NOT NULL,           -- UTC, as 2026-11-22T16:30:00Z
  path TEXT NOT NULL,              -- of the experiment file as it was read; of a single run ''
  file TEXT NOT NULL               -- its text
);

CREATE TABLE cells (               -- one row for every combination of settings
  cell INTEGER PRIMARY KEY,        -- from 1, stays when cells are added to the experiment
  place INTEGER NOT NULL,          -- order in the experiment file, from 1
  label TEXT NOT NULL UNIQUE,
  treatment TEXT,                  -- with `blocks`: what is varied beside them,
  block TEXT,                      -- and their values in this cell
  state TEXT NOT NULL,             -- waiting, running, done, stopped, failed
  error TEXT,                      -- why it failed
  digest TEXT NOT NULL UNIQUE,     -- of all settings that results depend on
  problem TEXT NOT NULL,           -- digest of those that say what is to be solved: cells that share it compare
  metric TEXT NOT NULL,
  maximised INTEGER NOT NULL,      -- 1: a higher fitness is better
  target REAL,                     -- target-fitness
  population INTEGER NOT NULL,     -- of all islands
  runs INTEGER NOT NULL,
  device TEXT,                     -- that ran it; its number where several share the cells
  started TEXT,
  seconds REAL,                    -- from opening to the last program recomputed, of all its runs together
  seconds_select REAL,             -- of them: in selection, breeding, evaluation
  seconds_breed REAL,
  seconds_evaluate REAL,
  nodes_executed REAL,             -- nodes x training cases, without programs that were spared an evaluation
  stop_reason TEXT                 -- target-fitness, generations, ...
);

CREATE TABLE cell_settings (       -- every setting of every cell
  cell INTEGER NOT NULL REFERENCES cells ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,             -- as in run.yaml, no `auto` left that the program fills
  varied INTEGER NOT NULL,         -- 1: not the same in all cells of the experiment file
  PRIMARY KEY (cell, key)
) WITHOUT ROWID;

CREATE TABLE runs (                -- one row for every run of a cell
  cell INTEGER NOT NULL REFERENCES cells ON DELETE CASCADE,
  run INTEGER NOT NULL,            -- from 0
  seed TEXT NOT NULL,              -- decimal; text, for it may have 64 bits
  state TEXT NOT NULL,             -- done, stopped
  generations INTEGER NOT NULL,    -- last one it took part in
  found INTEGER NOT NULL,          -- generation in which its best was found, or from which it was chosen
  fitness REAL,                    -- of its best program
  test_fitness REAL,
  recomputed_fitness REAL,         -- the same again, in double
  recomputed_test_fitness REAL,
  solved INTEGER,                  -- 1: reached the target; NULL: there is none
  evaluations INTEGER NOT NULL,    -- individuals evaluated, elites not again
  nodes_executed REAL NOT NULL,    -- of all its programs, as in `generations`: with those spared
  seconds REAL NOT NULL,           -- from the start of the cell to its last generation
  validity TEXT NOT NULL,          -- of its best: valid, or why not
  nodes INTEGER,                   -- of the expression
  depth INTEGER,
  derivation_depth INTEGER,        -- with a grammar
  derivation_nodes INTEGER,
  used_codons INTEGER,
  intercept REAL,                  -- of linear scaling
  slope REAL,
  expression TEXT,                 -- infix
  phenotype TEXT,                  -- the sentence of the grammar; of up to 1000 runs, above of the best one
  genome TEXT,                     -- codons as a JSON list; the same
  PRIMARY KEY (cell, run)
) WITHOUT ROWID;

CREATE TABLE programs (            -- the first `predictions` individuals of the last generation
  cell INTEGER NOT NULL REFERENCES cells ON DELETE CASCADE,
  run INTEGER NOT NULL,
  place INTEGER NOT NULL,          -- in its run's population, from 0
  nodes INTEGER NOT NULL,          -- 0: not valid
  fitness REAL,                    -- on all training cases
  test_fitness REAL,
  PRIMARY KEY (cell, run, place)
) WITHOUT ROWID;

-- Computed from the tables above when a cell is done. Runs that have ended take part with their last values. Intervals
-- are of 95 %: of medians by the bootstrap over the runs, of rates Wilson's.

CREATE TABLE summary (             -- every generation: how a column of `generations` spreads over the runs
  cell INTEGER NOT NULL REFERENCES cells ON DELETE CASCADE,
  measure TEXT NOT NULL,           -- best_fitness, ave_tree_nodes, ...
  gen INTEGER NOT NULL,
  n INTEGER NOT NULL,              -- runs that have a value
  mean REAL,
  min REAL,
  lower_quartile REAL,
  median REAL,
  upper_quartile REAL,
  max REAL,
  median_low REAL,
  median_high REAL,
  PRIMARY KEY (cell, measure, gen)
) WITHOUT ROWID;

CREATE TABLE success_curve (       -- every generation of a cell with a target
  cell INTEGER NOT NULL REFERENCES cells ON DELETE CASCADE,
  gen INTEGER NOT NULL,
  going INTEGER NOT NULL,          -- runs that took part in it
  solved INTEGER NOT NULL,         -- runs that reached the target by then
  rate REAL NOT NULL,
  rate_low REAL NOT NULL,
  rate_high REAL NOT NULL,
  evaluations INTEGER NOT NULL,    -- of a run by then, elites not counted again
  koza_runs INTEGER,               -- R(z): runs of which one is solved by then, with probability 0.99
  effort REAL,                     -- I(M, i, z) = population x (gen + 1) x R(z)
  PRIMARY KEY (cell, gen)
) WITHOUT ROWID;

CREATE TABLE success (             -- the same at the end, a row for every cell with a target
  cell INTEGER PRIMARY KEY REFERENCES cells ON DELETE CASCADE,
  runs INTEGER NOT NULL,
  solved INTEGER NOT NULL,
  rate REAL NOT NULL,
  rate_low REAL NOT NULL,
  rate_high REAL NOT NULL,
  effort REAL,                     -- Koza's computational effort: the least I(M, i, z)
  effort_gen INTEGER,              -- i
  effort_runs INTEGER,             -- R(z)
  expected_evaluations REAL,       -- evaluations of all runs / solved: to the target, with restarts
  expected_seconds REAL            -- the same of seconds: of the whole cell / solved
);

CREATE TABLE outcomes (            -- how what runs came to spreads over them, a row for every cell and measure
  cell INTEGER NOT NULL REFERENCES cells ON DELETE CASCADE,
  measure TEXT NOT NULL,           -- fitness, test_fitness, nodes, depth, evaluations, seconds (of all runs),
                                   -- target_gen, target_evaluations, target_seconds (of those that solved)
  n INTEGER NOT NULL,
  mean REAL,
  deviation REAL,
  min REAL,
  lower_quartile REAL,
  median REAL,
  upper_quartile REAL,
  max REAL,
  median_low REAL,
  median_high REAL,
  letters TEXT,                    -- cells of one problem that share a letter do not differ (Mann-Whitney, Holm, 0.05)
  PRIMARY KEY (cell, measure)
) WITHOUT ROWID;

-- Computed between the cells that are done, when there are two or more.

CREATE TABLE comparisons (         -- two cells with the same problem
  measure TEXT NOT NULL,           -- fitness, test_fitness, nodes, evaluations; solved
  test TEXT NOT NULL,              -- mann-whitney; of `solved` fisher
  a INTEGER NOT NULL REFERENCES cells ON DELETE CASCADE,
  b INTEGER NOT NULL REFERENCES cells ON DELETE CASCADE,
  n_a INTEGER NOT NULL,
  n_b INTEGER NOT NULL,
  statistic REAL,                  -- U of a; fisher: runs of a that solved
  effect REAL,                     -- A12: how probably a run of a is better (nodes, evaluations: lower) than one of b;
                                   -- fisher: the odds ratio
  p REAL,                          -- two-sided
  p_holm REAL,                     -- corrected for all pairs of this measure
  PRIMARY KEY (measure, a, b)
) WITHOUT ROWID;

CREATE TABLE ranks (               -- Friedman: mean rank of every treatment, 1 the best, over the blocks
  measure TEXT NOT NULL,           -- fitness, test_fitness
  treatment TEXT NOT NULL,         -- label of the cell, or of what is varied beside `blocks`
  mean_rank REAL NOT NULL,
  PRIMARY KEY (measure, treatment)
) WITHOUT ROWID;

CREATE TABLE rank_tests (          -- whether all treatments are the same
  measure TEXT PRIMARY KEY,
  blocks INTEGER NOT NULL,
  treatments INTEGER NOT NULL,
  chi2 REAL,                       -- Friedman's statistic, corrected for ties, treatments - 1 degrees of freedom
  p REAL,
  f REAL,                          -- Iman and Davenport's, (treatments - 1), (treatments - 1)(blocks - 1)
  p_f REAL
) WITHOUT ROWID;

CREATE TABLE rank_comparisons (    -- two treatments
  measure TEXT NOT NULL,
  a TEXT NOT NULL,
  b TEXT NOT NULL,
  z REAL,                          -- difference of mean ranks over its deviation; below 0: a is better
  p REAL,
  p_holm REAL,
  p_shaffer REAL,                  -- Shaffer's static procedure
  PRIMARY KEY (measure, a, b)
) WITHOUT ROWID;

-- Every run with a row in every generation of its cell: the last row of a run that has ended, again.
CREATE VIEW filled_generations AS
  SELECT s.gen AS at_gen, g.*
  FROM (SELECT DISTINCT cell, gen FROM summary WHERE measure = 'best_ever') s
  JOIN runs r ON r.cell = s.cell
  JOIN generations g ON g.cell = r.cell AND g.run = r.run AND g.gen = min(s.gen, r.generations);
