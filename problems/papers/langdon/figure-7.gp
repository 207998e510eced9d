# Figure 7 (2007), Figure 5 (2008): unseen against training cases, the first 10 000 programs of the last generation.
set terminal pngcairo size 560,480 font "sans,11"
set output out
set xlabel "fitness on the training cases"
set ylabel "fitness on unseen cases"
set xrange [0.4:1]
set yrange [0.4:1]
unset key
plot x with lines lc rgb "#a0a0a0", data using 2:3 with points pt 7 ps 0.25 lc rgb "#0b3d78"
