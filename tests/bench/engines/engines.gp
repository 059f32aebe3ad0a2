# engines.gp  Work and precision of engines: error of the reported joint forces over the time that a simulated second takes.
# gnuplot -e "table = 'engines.csv'; picture = 'engines.png'" engines.gp
set datafile separator ','
set datafile missing 'nan'
set terminal pngcairo size 1500,1000 font 'sans,10' linewidth 1.3
set output picture
set grid lc rgb '#dddddd' lt 1 lw 0.5
set border 3 lc rgb '#555555'
set tics nomirror
set logscale xy
least = 1e-8
set yrange [0.5*least:2]
set ytics 100 format '10^{%L}'
set xrange [1:3000]
set xtics (1, 10, 100, 1000)

# columns of the table; a run that broke has no point
engine = 2; setting = 3; step = 4; high = 6; time = 12; broke = 13

lines = "grep -v -e '^#' -e '^scene,' '" . table . "'"
scenes = system(lines . " | cut -d, -f1 | uniq")
engines = system(lines . " | cut -d, -f2 | awk '!seen[$0]++'")
all = system(lines . " | cut -d, -f2,3 | awk '!seen[$0]++'")
colours = '#30638e #3a7d44 #d1495b #edae49 #8d5524 #111111 #7b5ea7 #00798c #d17a22 #5f9e8f #9a031e #c06c84 #355c7d #6a994e #f2545b #bc9c22 #118ab2 #6d4c41'
colour(i) = word(colours, 1 + (i - 1) % words(colours))
# a mark for each engine
mark(i) = int(word('7 9 5 13 11', sum [k = 1:words(engines)] (word(all, i)[1:strlen(word(engines, k)) + 1] eq word(engines, k) . ',' ? k : 0))) + 0
isOwn(scene, i) = strcol(1) eq scene && (strcol(engine) . ',' . strcol(setting)) eq word(all, i) && column(broke) == 0
work(scene, i) = isOwn(scene, i) ? 1e-3 * column(time) / column(step) : NaN
error(x) = x < least ? least : x

columns = 4
rows = (words(scenes) + columns) / columns
set multiplot layout rows,columns title \
    'Reported joint forces against physical ones: 95 per cent of errors (lowest line: below 10^{-8}) over ms that a simulated second takes' \
    font ',13'
unset key
do for [s = 1:words(scenes)] {
    set title word(scenes, s)
    plot for [i = 1:words(all)] table using (work(word(scenes, s), i)):(error(column(high))) \
         with linespoints pt mark(i) ps 0.9 lc rgb colour(i) notitle
}
unset title; unset border; unset tics; unset grid; unset logscale
set key top left samplen 2 maxcols 2
set xrange [0:1]
set yrange [0:1]
plot for [i = 1:words(all)] 2 with linespoints pt mark(i) lc rgb colour(i) title word(all, i)
unset multiplot
