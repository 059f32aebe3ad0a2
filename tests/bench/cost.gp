# cost.gp  Cost of an inspected step against the size of the scene.
# gnuplot -e "table = 'bench.csv'; picture = 'cost.png'" cost.gp
set datafile separator ','
set datafile missing 'NaN'
set terminal pngcairo size 1500,540 font 'sans,11' linewidth 1.5
set output picture
set grid lc rgb '#dddddd' lt 1 lw 0.5
set border 3 lc rgb '#555555'
set tics nomirror
set logscale xy
set xrange [3:20000]
set yrange [0.2:20]
set format x '%.0f'
set format y '%.0f'
set xtics (10, 100, 1000, 10000)
set ytics ("0.2" 0.2, "0.5" 0.5, 1, 2, 5, 10, 20)
set xlabel 'joints'
set key top right samplen 2

# columns of the table; times are processor times
joints = 3; way = 11; whole = 21; added = 25; unchecked = 39

scenes = system("grep -v -e '^#' -e '^scene,' '" . table . "' | cut -d, -f1 | uniq")
colour(i) = word('#30638e #3a7d44 #d1495b #edae49 #8d5524 #00798c #7b5ea7 #444444 #d17a22 #5f9e8f #9a031e', 1 + (i - 1) % 11)
perJoint(scene, kind, seconds) = strcol(1) eq scene && strcol(way) eq kind ? 1e6 * seconds / column(joints) : NaN
plain(scene) = perJoint(scene, 'plain', column(whole))
# open where most joints go without an answer
point(kind) = kind ne 'certificate' && column(unchecked) > 0.5 ? 6 : 7

kinds = 'certificate converged physical'
titles = "'certificate only' 'converged' 'converged and physical'"
set multiplot layout 1,3 title \
    'What inspection adds to a step (open: most joints are unchecked). Grey: the step itself, dWorldQuickStep(20)' font ',13'
do for [k = 1:3] {
    set title word(titles, k)
    if (k == 1) { set ylabel 'microseconds per joint' } else { unset ylabel; unset key }
    plot for [i = 1:words(scenes)] table using joints:(plain(word(scenes, i))) \
             with linespoints pt 7 ps 0.4 lc rgb '#bbbbbb' notitle, \
         for [i = 1:words(scenes)] table using joints:(perJoint(word(scenes, i), word(kinds, k), column(added))):(point(word(kinds, k))) \
             with linespoints pt variable ps 0.8 lc rgb colour(i) title word(scenes, i)
}
unset multiplot
