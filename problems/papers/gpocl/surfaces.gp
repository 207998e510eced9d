# Figures 3 to 22: rate over population and data set, a panel a strategy.
set terminal svg size 960,620 font "sans,11" background "white"
set output out
set multiplot layout 2,3 title "Node evaluations a second, 10^9"
set logscale xy
set xrange [100:50000]
set yrange [100:50000]
set xtics ("100" 100, "1k" 1000, "10k" 10000, "50k" 50000) offset 0,-0.4
set ytics ("100" 100, "1k" 1000, "10k" 10000, "50k" 50000) offset 0.4,0
set ztics autofreq
set xlabel "programs" offset 0,-0.6
set ylabel "cases" offset 0.5,0
set zrange [0:*]
set view 62,325
set ticslevel 0
set hidden3d
unset key
unset colorbox
set palette defined (0 "#dce9f5", 1 "#0b3d78")
name(i) = i == 0 ? "CPU, sequential" : i == 1 ? "CPU, parallel" : i == 2 ? "fitness-parallel" : \
    i == 3 ? "program per element" : i == 4 ? "program per compute unit" : "Grampus"
do for [i=0:5] {
    set title name(i) offset 0,0.5
    splot data index i using 2:3:4 with pm3d, data index i using 2:3:4 with lines lc rgb "#404040"
}
unset multiplot
