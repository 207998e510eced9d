# Tables 3, 4 and 7 to 10: rate over the threads of a block, on-chip memory preferred as L1.
set terminal svg size 900,640 font "sans,11" background "white"
set output out
set multiplot layout 2,2 title "10^9 node evaluations a second, one block a program"
set xlabel "threads of a block"
set yrange [0:*]
set xtics (32, 128, 256, 384, 512, 640, 768, 896, 1024)
set key left top
problem(i) = word("sextic Shuttle KDD-Cup 20-multiplexer", i + 1)
strategy(i) = word("RPN RPN,2 linear linear,4 float4 registers,2", i + 1)
do for [p=0:3] {
    set title problem(p)
    plot for [s=0:5] data index 6 * p + s using 2:3 with linespoints pt 7 ps 0.5 title strategy(s)
}
unset multiplot
