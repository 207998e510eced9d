# Tables 3, 4 and 7 to 10: rate over the threads of a block, on-chip memory preferred as L1.
set terminal svg size 900,640 font "sans,11" background "white"
set output out
set datafile separator "\t"
set xrange [0:1056]
set multiplot layout 2,2 title "Node evaluations a second, 10^9, one block a program"
set xlabel "threads of a block"
set yrange [0:*]
set xtics (32, 256, 512, 768, 1024)
set key outside right center samplen 2 font ",9"
problem(i) = word("sextic Shuttle KDD-Cup 20-multiplexer", i + 1)
strategy(i) = word("RPN RPN,2 linear linear,4 float4 registers,2", i + 1)
# a table that is not there (KDD Cup's data is large) leaves its part empty; float4 is dashed, for it lies on linear,4
of(p, s) = word("sextic shuttle kddcup multiplexer", p + 1).word("rpn rpn-2 linear linear-4 float4 registers-2", s + 1)
do for [p=0:3] {
    set title problem(p)
    plot 1 lc rgb "white" notitle, for [s=0:5] data using (strcol(1) eq of(p, s) ? $2 : NaN):3 with linespoints pt 7 ps 0.5 dt 1 + (s == 4) title strategy(s)
}
unset multiplot
