# Figure 6: speed-up of the GPU over the serial program, over points and population.
set terminal svg size 900,380 font "sans,11" background "white"
set output out
set datafile separator "\t"
set multiplot layout 1,2 title "Speed-up of the GPU over one core"
set logscale xy
set xtics (128, 256, 1280, 2560) offset 0,-0.4
set ytics (2, 4, 8, 16, 32, 64) offset 0.4,0
set xlabel "points" offset 0,-0.6
set ylabel "population" offset 0.5,0
set zrange [0:*]
set view 62,325
set ticslevel 0
set hidden3d
unset key
unset colorbox
set palette defined (0 "#dce9f5", 1 "#0b3d78")
do for [i=0:1] {
    set title i == 0 ? "with overhead" : "without" offset 0,0.5
    splot data index i using 2:3:4 with pm3d, data index i using 2:3:4 with lines lc rgb "#404040"
}
unset multiplot
