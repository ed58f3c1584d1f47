# Runs a Postgres server, and ends it when the standard input ends: with the test, however that ends.
# usage: supervise.sh BIN FOLDER PORT [COMMAND TO RUN AS A PLAIN USER…]; then lines: stop, kill, start.
bin=$1 folder=$2 port=$3
shift 3

start() {
    "$@" "$bin/postgres" -D "$folder/data" -p "$port" >>"$folder/log" 2>&1 </dev/null &
    pid=$!
}

# What serves its connections outlives a killed server by a moment, and no other starts beside that.
end() {
    serving=$(grep -ls "^PPid:[[:space:]]*$pid\$" /proc/[0-9]*/status)
    kill -"$1" "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    for status in $serving; do
        while grep -qs '^State:[[:space:]]*[^ZX[:space:]]' "$status"; do
            sleep 0.05
        done
    done
}

# Ctrl-C is for the test; the end of the input follows from it.
trap '' INT
start "$@"
while read -r order; do
    case $order in
    start) start "$@" ;;
    stop) end INT ;;
    kill) end KILL ;;
    esac
    echo done
done
end INT
# A server that the whole process shares has nobody else to clear up behind it.
rm -rf "${folder:?}"
