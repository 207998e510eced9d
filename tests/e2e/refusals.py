#!/usr/bin/env python3
"""What is refused, and in which words; beside most limits the value that is still taken. The words stand in
tests/golden/refusals.txt: a line of options, then the exit code and the line of error. --write makes it anew: read what
changed. Python's standard library only."""
import os
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

GRAMPUS = find_program()
GOLDEN = os.path.join(ROOT, "tests", "golden", "refusals.txt")
FILES = {
    "t.csv": "a,b,y\n1,2,0\n2,1,1\n3,4,1\n0,2,0\n5,1,1\n", "one.csv": "a\n1\n2\n", "two.csv": "a,b\n1,2\n2,1\n",
    "three.csv": "a,b,y\n1,2,0\n2,1,1\n3,4,2\n", "half.csv": "a,y\n1,0.5\n2,1\n", "same.csv": "a,y\n1,1\n2,1\n",
    "far.csv": "a,y\n1,0\n2,33\n", "near.csv": "a,y\n1,0\n2,32\n", "uneven.csv": "a,y\n1,2\n1,2,3\n",
    "comma.csv": "a;y\n1;2\n-1,5;3\n", "thousands.csv": "a;y\n1;2\n1,500,000;3\n", "ends.csv": "a,y,\n1,2,\n2,3,\n",
    "word.csv": "a,y\n1,2\nx,3\n", "s.txt": "1\n2\n3\n4\n5\n", "p.fa": ">a nuclear\nAC\n>b x\nDE\n", "bad.fa": ">a\nA1\n",
    "w.csv": "a,y,w\n1,2,1\n2,1,0.5\n", "minus.csv": "a,y,w\n1,2,1\n2,1,-1\n",
    "nil.csv": "a,y,w\n1,2,0\n", "zero.csv": "a,y,w\n1,2,0\n2,1,0\n", "heavy.csv": "a,y,w,v,u\n1,2,1e30,1e18,1e-30\n2,1,1,1,1\n",
    "light.csv": "a,y,w,v,u\n1,2,1e-40,1e-60,inf\n2,1,1e-44,1e-50,nan\n",
    "g.bnf": "<e> ::= (<e> + <e>) | a | b\n", "ranked.bnf": "<p> ::= argmax(<e>, <e>)\n<e> ::= a | b\n",
    "many.bnf": "<e> ::= a | b | 1 | 2 | 3\n", "deep.bnf": "<e> ::= <f>\n<f> ::= a\n",
    "large.bnf": "<e> ::= a\n  | (1e40 * b)\n", "large.csv": "a,y\n1e38,2\n1e39,1\n",
    "0": "a,y\n1,2\n2,1\n", "words": "a\n(a + b)\n", "broken": "a\n(a +\n", "word": "a\n", "squares": "a\na^2\n", "caret.bnf": "<e> ::= (<e> <o> <e>) | a\n<o> ::= + | ^\n",
    "genomes": "[1, 2]\n[0]\n",
    "units.yaml": "data: t.csv\nunits: a=m; b=m; y=s\n",
    "run.yaml": "data: t.csv\ngenotype: tree\npopulation: 9\ngenerations: 1\n",
}
TREE = "--data t.csv --genotype tree "
GRAMMAR = "--data t.csv --grammar g.bnf "
CLASSES = TREE + "--metric misclassified "
MADE = "--genotype tree --target-expression x "
LINES = """
{T}--train-cases 5
{T}--test-cases 5
--genotype tree
{T}--boolean parity-3
{T}--series s.txt
--genotype tree --sequences p.fa
--genotype tree --sequences p.fa --positive nuclear
--genotype tree --sequences p.fa --positive nuklear
--genotype tree --sequences bad.fa --positive nuclear
--genotype tree --boolean parity-3 --positive nuclear
--genotype tree --boolean parity-3 --test-data t.csv
--genotype tree --boolean parity-3 --target y
--genotype tree --boolean parity-3 --inputs a
--genotype tree --boolean parity-3 --train-rows 0:1
--genotype tree --boolean parity-3 --test-rows 0:1
--genotype tree --boolean parity-3 --test-fraction 0.5
--genotype tree --boolean parity-3 --test-sequences p.fa
{M}
{T}--variables x=uniform(0,1)
{T}--test-variables x=uniform(0,1)
--data 0 --genotype tree --target y
--genotype tree --target-expression x --variables x=uniform(0,1) --train-cases 5 --test-data 0
--genotype tree --target-expression x --variables x=uniform(0,1) --train-cases 5 --inputs 0
{T}--test-data t.csv --test-fraction 0.5
{T}--test-data t.csv --test-rows 0:1
{T}--test-fraction 1
{T}--test-fraction 0.99
{T}--test-fraction 0.9999999
{T}--test-fraction 0.5 --train-rows 0:2
{T}--weights z
{T}--weights y
{T}--weights a --inputs a
--genotype tree --boolean parity-3 --weights w
--genotype tree --data two.csv --weights b
--genotype tree --data w.csv --weights w
--genotype tree --data minus.csv --weights w
--genotype tree --data minus.csv --weights w --test-fraction 0.5 --split random
--genotype tree --data w.csv --weights w --test-data minus.csv
--genotype tree --data w.csv --weights w --test-data zero.csv
--genotype tree --data w.csv --weights w --target y --test-data heavy.csv
--genotype tree --data zero.csv --weights w
--genotype tree --data nil.csv --weights w
--genotype tree --data heavy.csv --weights w --target y --inputs a
--genotype tree --data heavy.csv --weights w --target y --inputs a --test-fraction 0.5
--genotype tree --data heavy.csv --weights v --target y --inputs a
--genotype tree --data heavy.csv --weights u --target y --inputs a
--genotype tree --data light.csv --weights w --target y --inputs a
--genotype tree --data light.csv --weights v --target y --inputs a
--genotype tree --data light.csv --weights u --target y --inputs a
--genotype tree --data w.csv --weights w --case-sampling random --sample-cases 1
{T}--train-rows 2:2
{T}--train-rows 2-3
{T}--train-rows 0:6
{T}--train-rows 0:5
{T}--train-rows 0:2 --test-rows 2:9
{T}--test-rows 2:4
{T}--test-rows 2:4 --train-rows :2
{T}--train-rows :2 --test-rows 3: --split random
{T}--elites 9
{T}--elites 8
{T}--elites 12
{T}--name a/b
{T}--name ..
{T}--name .
{T}--output= 
{T}--init-min-depth 5 --init-max-depth 4
{T}--init-min-depth 4 --init-max-depth 4
{T}--init-max-depth 6 --max-depth 5
{T}--init-max-depth 5 --max-depth 5
{T}--max-depth 255
{T}--max-depth 254
{G}--genome-length 501
{G}--genome-length 500
{G}--max-genome-length 20 --genome-length 21
{T}--constant-min 2 --constant-max 1
{T}--constant-min 1 --constant-max 1
{T}--mapping pi
{T}--codon-consumption lazy
{T}--wrap-rule geva
{T}--codon-duplication 0.1
{T}--codon-deletion 0.1
{G}--genotype structured --mapping pi
{G}--mapping pi --wrap-rule ponyge-linear
{T}--crossover uniform
{G}--crossover size-fair
{G}--genotype structured --crossover variable-onepoint
{T}--initialisation uniform
{G}--initialisation sized
{G}--mutation-events 2 --codon-mutation 0.1
--data t.csv
--data t.csv --genotype grammar
--data t.csv --metric f1 --tournament 3
--boolean parity-3
--boolean parity-3 --genotype structured
{T}--metric boolean-hits
--genotype tree --boolean parity-3 --metric rmse
{T}--linear-scaling --metric mae
{T}--law-every 5
{T}--law-every 5 --find-law --metric rmse
{T}--optimise-constants all --metric mae
{T}--optimise-constants all --metric r2
{T}--optimise-constants elites --math fast
{G}--optimise-constants share --selection nsga2
{G}--optimise-constants share
--genotype tree --boolean parity-3 --optimise-constants all
{T}--optimise-constants elites --replacement steady-state
{T}--weighted-inputs
{T}--weighted-inputs --optimise-constants elites
{G}--weighted-inputs
{G}--weighted-inputs --optimise-constants all
--genotype tree --boolean parity-3 --weighted-inputs
{C}--class-rule thresholds
{C}--class-rule thresholds --thresholds 0.5
{T}--class-rule fitted
{C}--class-rule fitted --thresholds 1
{T}--class-rule argmax
{C}--class-rule argmax --thresholds 1
{C}--class-rule argmax
--data t.csv --grammar g.bnf --metric misclassified --class-rule argmax
--data t.csv --units "a=m;b=m;y=1" --metric misclassified --class-rule argmax
--data t.csv --units "a=m;b=m;y=s" --units-depth 1
--data t.csv --units "a=m;b=m;y=s"
--data t.csv --genotype tree --typed --units "a=m;b=m;y=s"
run units.yaml
--genotype tree --boolean parity-5 --case-sampling random --sample-cases 1
--data t.csv --genotype tree --units "a=m;b=m;y=1" --metric misclassified --class-rule argmax
--data t.csv --grammar ranked.bnf --metric misclassified --class-rule argmax
{C}--class-rule argmax --initialisation ptc2
{C}--class-rule argmax --functions argmax
{C}--class-rule argmax --max-nodes 4
{C}--class-rule argmax --max-depth 252
{T}--metric balanced-accuracy --thresholds 0,1
{T}--metric balanced-accuracy --thresholds 0.5
{C}--thresholds a
{C}--thresholds 1,1
{C}--thresholds 1,inf
{C}--class-rule thresholds --thresholds {many}
{C}--class-rule thresholds --thresholds {most}
{T}--functions +,+
{T}--functions sinus
{T}--functions +,~
{T}--functions +,^
{T}--functions +,xor --population 9 --generations 1
--genotype tree --boolean parity-3 --functions &,^ --population 9 --generations 1
--genotype tree --boolean parity-3 --functions +
{G}--constants 1,2
{G}--operators crossover
{G}--function-points 0.9
{G}--subtree-mutation-growth ramped
{G}--hoist-mutation 0.1
{G}--shrink-mutation 0.1
{G}--insert-mutation 0.1
{G}--multi-point-mutation 0.1
{G}--constant-mutation 0.1
{T}--constants 1,2
{T}--constants a --constant-probability 0.5
{T}--constants 1:0:0.1 --constant-probability 0.5
{T}--constants 0:1:0 --constant-probability 0.5
{T}--constants 1:256:1 --constant-probability 0.5
{T}--constants 0:256:1 --constant-probability 0.5
{T}--constants tangent(256,3) --constant-probability 0.5
{T}--constants tangent(257,3) --constant-probability 0.5
{T}--constants tangent(2.5,3) --constant-probability 0.5
{T}--operators 'crossover 0.5, point 0.6'
{T}--operators 'crossover 0.5, point 0.5'
{T}--operators 'crossover 0.5, crossover 0.1'
{T}--operators 'jump 0.5'
{T}--operators 'crossover 0.5; point 0.1'
{T}--operators 'crossover 0.5' --hoist-mutation 0.1
{T}--subtree-mutation-depth 65
{T}--subtree-mutation-depth 64
{G}--crossover subtree --max-depth 4096
{G}--crossover subtree --max-depth 4095
{G}--subtree-mutation 0.1 --max-depth 4096
{G}--crossover subtree --mapping pi
{G}--subtree-mutation 0.1 --genotype structured
{T}--invalid excluded
{G}--topology torus --deme-width 3 --deme-height 3 --invalid excluded
{G}--topology torus --deme-width 3 --deme-height 3 --invalid redrawn
{T}--replacement steady-state --topology torus --deme-width 3 --deme-height 3
{T}--replacement steady-state --children-per-step 10
{T}--replacement steady-state --children-per-step 9
{T}--replacement steady-state --elites 3
{T}--replacement steady-state --generations 1000000000
{T}--replacement steady-state --population 11 --children-per-step 1 --generations 100000000
{T}--islands 2 --population 1
{T}--islands 2 --population 1 --migration-every 0
{T}--islands 2 --migration-size 9
{T}--islands 2 --migration-size 8
{T}--islands 5 --migration-topology torus
{T}--islands 4 --migration-topology torus
{T}--islands 16385
{T}--validation-fraction 1
{T}--validation-fraction 0.99
{T}--validation-fraction 0.5 --train-rows 0:1
{T}--validation-fraction 0.5
{T}--validation-fraction 0.2 --metric r2
{T}--validation-fraction 0.2 --metric balanced-accuracy
{T}--validation-fraction 0.2 --objectives error,r2
{T}--validation-fraction 0.5 --case-sampling fixed --sample-cases 2
{C}--validation-fraction 0.5 --class-rule fitted
--genotype tree --boolean parity-3 --validation-fraction 0.5
{T}--restart-after 0
{T}--restart-after 1 --case-sampling random --sample-cases 2
{T}--restart-after 1 --case-sampling fixed --sample-cases 2
{T}--selection lexicase --parsimony coefficient
{T}--selection lexicase --topology torus --deme-width 3
{T}--selection lexicase --spread cases
{T}--selection epsilon-lexicase --spread cases
{T}--optimise-constants all --spread cases
{T}--objectives "error, max-error" --spread cases
{T}--objectives "error, nodes" --spread cases
{T}--spread population
{T}--spread demes
{T}--targets a,y
{T}--targets a,nothing
{T}--targets y,a,3
{T}--targets a,y --metric r2
{T}--targets a,y --seed-program 1
{T}--targets a,y --linear-scaling
{T}--target-scaling none
{T}--spread memory
{T}--spread memory --optimise-constants all
{T}--spread memory --selection nsga2 --objectives "error, nodes"
{T}--spread memory --archive niches
{T}--spread memory --islands 2
{T}--spread memory --islands 2 --migration-every 0
{T}--spread memory --restart-after 5
{T}--spread memory --unique
{C}--selection epsilon-lexicase --class-rule fitted
{T}--selection epsilon-lexicase --epsilon dynamic --lexicase-cases 9 --lexicase-batch 9
{T}--selection lexicase --lexicase-batch 0
{T}--archive niches
{T}--archive niches --niches 15
{T}--archive niches --niche-share 1.1
{T}--archive niches --topology torus --deme-width 3
{T}--archive niches --replacement steady-state
{T}--archive niches --case-sampling fixed --sample-cases 2
{C}--archive niches --class-rule fitted
{T}--selection nsga2
{T}--objectives error
{T}--objectives nodes,depth
{T}--objectives error,rmse
{T}--objectives error,mae,max-error
{T}--objectives error,nodes,depth,complexity
{T}--objectives error,weight
{T}--objectives error,boolean-hits
{T}--objectives error,mae,nodes --metric rmse --linear-scaling
{T}--objectives error,mse,nodes --metric rmse --linear-scaling
{T}--objectives error,nodes --selection tournament
{T}--selection nsga2 --replacement generational
{T}--replacement nsga2
{T}--selection nsga2 --elites 1
{T}--selection nsga2 --parsimony coefficient
{T}--selection nsga2 --case-sampling fixed --sample-cases 2
{T}--selection nsga2 --restart-after 3
{T}--selection nsga2 --islands 2 --migration-size 1
{T}--selection nsga2 --islands 2 --migration-every 0
{T}--selection nsga2 --optimise-constants elites
{T}--selection nsga2 --topology torus --deme-width 3
{C}--selection nsga2 --class-rule fitted
{T}--front-choice mdl
{T}--selection nsga2 --front-choice mdl --metric hits
{T}--front-choice bic --metric mae
{T}--front-choice bic --case-sampling fixed --sample-cases 2
{T}--front-choice bic --validation-fraction 0.3
{T}--topology torus
{T}--topology torus --deme-width 4
{T}--topology torus --deme-width 3 --deme-height 4
{T}--topology torus --deme-width 3
{T}--topology torus --deme-width 9
{T}--topology torus --deme-height 9
{T}--topology torus --deme-height 10
{T}--topology torus --deme-height 2 --population 131072
{T}--topology torus --deme-width 3 --elites 1
{T}--topology torus --deme-width 3 --selection rank
{T}--topology torus --deme-width 3 --parsimony double-tournament
{T}--selection rank --parsimony double-tournament
{T}--parsimony double-tournament --parsimony-strength 0.9
{T}--parsimony double-tournament --parsimony-strength 2.1
{T}--parsimony double-tournament --parsimony-strength 2
{T}--parsimony double-tournament --parsimony-strength 1
{T}--parsimony tarpeian --parsimony-strength 1.1
{T}--parsimony tarpeian --parsimony-strength 1
{T}--sample-cases 3
{T}--case-sampling random
{T}--case-sampling random --sample-cases 6
{T}--case-sampling random --sample-cases 5
{T}--case-sampling random --sample-cases 3 --metric r2
{T}--case-sampling random --sample-cases 3 --metric mse --linear-scaling
--genotype tree --boolean parity-6 --case-sampling random --sample-cases 33
--genotype tree --boolean parity-6 --case-sampling random --sample-cases 32
--genotype tree --boolean parity-4 --case-sampling random --sample-cases 32
{T}--initialisation ptc2 --init-min-nodes 5 --init-max-nodes 4
{T}--initialisation ptc2 --init-max-nodes 11 --max-nodes 10
{T}--initialisation ptc2 --init-max-nodes 10 --max-nodes 10
{T}--target z
{T}--target answer
{T}--target 4
{T}--target 3
{T}--inputs a,y
{T}--inputs a,a
{T}--inputs c
{T}--inputs b
--genotype tree --data one.csv
{T}--test-data two.csv
--genotype tree --data uneven.csv
--genotype tree --data word.csv
--genotype tree --data comma.csv
--genotype tree --data thousands.csv
--genotype tree --data ends.csv
--genotype tree --data word.csv --categories
--genotype tree --data word.csv --categories --target a
--genotype tree --data word.csv --categories --target a --metric misclassified
--genotype tree --data word.csv --categories --target a --metric rmse
--data word.csv --categories --target a --preset classification
--genotype tree --data word.csv --header no
eval --expression a --data word.csv
--genotype tree --data nothing.csv
--genotype tree --data half.csv --metric misclassified
--genotype tree --data three.csv --metric misclassified --class-rule sign
--genotype tree --data far.csv --metric misclassified --class-rule fitted
--genotype tree --data near.csv --metric misclassified --class-rule fitted
--genotype tree --data same.csv --metric balanced-accuracy
--genotype tree --data same.csv --metric r2
--genotype tree --series s.txt --lags 0
--genotype tree --series s.txt --lags 1,1
--genotype tree --series s.txt --lags 2,1
--genotype tree --series s.txt --lags 5
--genotype tree --series t.csv
--genotype tree --boolean parity-21
--genotype tree --boolean parity-0
--genotype tree --boolean multiplexer-5
{M}--variables x=uniform(0,1)
{M}--variables x=uniform(0,1) --train-cases 4
{M}--variables 'x = grid(0, 1, 0.5)' --train-cases 4
--genotype tree --target-expression v1 --variables '{v256} = uniform(0, 1)' --train-cases 4
--genotype tree --target-expression v1 --variables '{v257} = uniform(0, 1)' --train-cases 4
{M}--variables 'x = grid(0, 1, 0.5)' --test-cases 4
{M}--variables 'x = grid(0, 0, 1)' --train-cases 4
{M}--variables 'x = grid(0, 1, 0.5); y = uniform(0, 1)' --train-cases 4
{M}--variables 'x = grid(0, 1, 0.000001); y = grid(0, 1, 0.000001)'
{M}--variables 'x = normal(0, 1)' --train-cases 4
{M}--variables 'x = grid(0, 1, 0.5)' --test-variables 'y = grid(0, 1, 0.5)'
--genotype tree --target-expression 1/x --variables 'x = grid(0, 1, 0.5)'
--genotype tree --target-expression x+ --variables 'x = grid(0, 1, 0.5)'
--genotype tree --target-expression '1 + x ^ 2' --variables 'x = grid(0, 1, 0.5)'
{T}--seeds squares
--data t.csv --grammar caret.bnf
eval --expression 'a ^ 2' --data t.csv
eval --expression '(a < 2) ^ (b < 2)' --data t.csv
eval --expression 'xor(a, b) + a ** 2' --data t.csv
export --expression 'x0 ^ 2'
export --expression 'x0 ^ x1' --boolean
{G}--codon-size 1
{G}--codon-size 2
--data t.csv --grammar many.bnf --codon-size 3
--data t.csv --grammar deep.bnf --max-depth 2
--data t.csv --grammar deep.bnf --max-depth 3 --init-max-depth 3
{G}--genotype structured --max-genome-length 0
--data t.csv --grammar nothing.bnf
{T}--population 0
{T}--population 4294967296
{T}--generations -1
{T}--crossover-probability 1.1
{T}--crossover-probability 1
{T}--metric rms
{T}--popultion 9
{T}--metric {long}
{T}--functions {wide}
{T}--objectives error,{wide}
{T}--target {long}
{T}--{long}
{T}--threads 4097
{T}--seed 18446744073709551616
{T}--seed 18446744073709551615
{T}--seed 18446744073709551615 --runs 2
{T}--seed 18446744073709551614 --runs 2
{T}--population 9 --tournament 901
{T}--population 9 --tournament 900
{T}--population 9 --tournament 901 --selection truncation
run.yaml --tournament 0
verify nowhere
grammar show g.bnf --n-vars 2 --inputs a
grammar
grammar jump g.bnf
grammar make t.csv --functions {wide}
map --grammar g.bnf --genomes .
verify ''
run ''
grammar show g.bnf --n-vars 0
grammar show g.bnf --n-vars 1
grammar show g.bnf --n-vars 1000000
grammar show g.bnf --n-vars 1000001
grammar show g.bnf --n-is 0
grammar show g.bnf --n-is 1
grammar show g.bnf --n-is 1000000
grammar show g.bnf --n-is 1000001
grammar show g.bnf --n-os 0
grammar show g.bnf --n-os 1
grammar show g.bnf --n-os 1000000
grammar show g.bnf --n-os 1000001
grammar show g.bnf --codon-size 0
grammar show g.bnf --codon-size 1
grammar show g.bnf --codon-size 2147483647
grammar show g.bnf --codon-size 2147483648
grammar stats g.bnf --max-depth 0
grammar stats g.bnf --max-depth 1
parse --grammar g.bnf --phenotypes words --codon-size 0
parse --grammar g.bnf --phenotypes words --codon-size 1
parse --grammar g.bnf --phenotypes words --codon-size 2147483647
parse --grammar g.bnf --phenotypes words --codon-size 2147483648
parse --grammar g.bnf --phenotypes words --n-vars 0
parse --grammar g.bnf --phenotypes words --n-vars 1
parse --grammar g.bnf --phenotypes words --n-vars 1000000
parse --grammar g.bnf --phenotypes words --n-vars 1000001
map --grammar g.bnf
map --grammar g.bnf --genomes word
map --grammar g.bnf --genomes genomes --max-depth 1
map --grammar g.bnf --genomes genomes --max-wraps 65536
map --grammar g.bnf --genomes genomes --codon-size 2147483647
map --grammar g.bnf --genomes genomes --codon-size 2147483648
map --grammar g.bnf --genomes genomes --n-vars 1000000
map --grammar g.bnf --genomes genomes --n-vars 1000001
map --grammar g.bnf --genomes genomes --n-vars 0
bench --repeats 0
bench --repeats 1001
bench --threads 4097
bench nothing
bench --row nothing
eval --data t.csv
eval --expression a
eval --expression a --data t.csv --metric rms --target y
eval --expression a --data t.csv --metric mae
eval --expression a --data w.csv --weights w
eval --expression a --data w.csv --target y --weights v
eval --expression a --data w.csv --target y --weights 2
eval --expression a --data w.csv --target y --weights w --precision double
eval --expression a --data minus.csv --target y --weights w
eval --expression a --data zero.csv --target y --weights w
eval --expression a --data t.csv --linear-scaling
eval --expression a --data t.csv --tolerance 1 --json
parse --grammar g.bnf
eval --data t.csv --expression a --metric misclassified --target y --thresholds 1,0
devices --jsn
{T}--precision half
--genotype tree --data large.csv
--genotype tree --data large.csv --precision double
--data t.csv --grammar large.bnf
--data t.csv --grammar large.bnf --precision double
{T}--precision double --seed-program 1e40*a
{T}--seed-program a+b*a --max-nodes 5
{T}--seed-program a+b*a --max-nodes 4
{T}--seed-program a+b*a --max-depth 3 --init-max-depth 2
{T}--seed-program a+b*a --max-depth 2 --init-max-depth 2
{T}--seed-program a+
{T}--seeds broken
{G}--seeds broken
{T}--precision double --constants 1,1e40 --constant-probability 0.5
{C}--thresholds 1e40
--genotype tree --boolean parity-3 --precision double
{M}--variables x=uniform(0,1) --precision double
{T}--precision double --metric misclassified
{T}--precision double --metric f1
{T}--precision double --selection nsga2 --objectives error,f1
--genotype tree --data w.csv --target y --weights w --precision double
{T}--precision double --prepare sums
{T}--precision double --probe-cases 5
{T}--precision double --case-sampling random --sample-cases 2
{T}--precision double --linear-scaling
{T}--precision double --optimise-constants all
{T}--precision double --selection lexicase
{T}--precision double --archive niches
{T}--precision double --selection nsga2 --front-choice mdl
{T}--precision double --find-law
{T}--precision double --math fast
{T}--precision double --devices 0
{T}--devices cpu
{T}--devices 0,
{T}--devices 0,1x
{T}--devices -1
--genotype tree --data word.csv --precision double
"""


def commands():
    """Lines of options; those without a verb are of `run`."""
    words = {"T": TREE, "G": GRAMMAR, "C": CLASSES, "M": MADE, "many": ",".join(map(str, range(33))),
             "most": ",".join(map(str, range(32))), "v256": ", ".join(f"v{k}" for k in range(256)),
             "v257": ", ".join(f"v{k}" for k in range(257)),
             "wide": "\u00e9" * 50, "long": "a" * 79 + "\u00e9"}  # of which 80 bytes would end in half a character
    return [line.format(**words).strip() for line in LINES.strip("\n").split("\n")]


def answer(line, folder):
    arguments = shlex.split(line)
    if arguments[0].startswith("--") or arguments[0] == "run.yaml":
        small = [] if "--population" in line else ["--population", "9"]
        small += [] if "--generations" in line else ["--generations", "1"]
        arguments = ["run", *arguments, *small, "--device", "cpu", "--threads", "1", "--quiet"]
    done = subprocess.run([GRAMPUS, *arguments], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    if done.returncode == 0:
        return "taken"
    return f"{done.returncode} {done.stderr.strip()}".replace(folder, "")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            with open(os.path.join(folder, name), "w") as out:
                out.write(text)
        answers = [(line, answer(line, os.path.realpath(folder))) for line in commands()]
    if sys.argv[1:] == ["--write"]:
        with open(GOLDEN, "w") as out:
            out.writelines(f"{line}\n    {said}\n" for line, said in answers)
        return 0
    with open(GOLDEN) as file:
        lines = file.read().splitlines()
    expected = dict(zip(lines[::2], (said[4:] for said in lines[1::2])))
    failed = 0
    for line, said in answers:
        if expected.get(line) != said:
            failed += 1
            print(f"{line}\n    {said}\n    expected: {expected.get(line)}")
    print(f"{len(answers) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
