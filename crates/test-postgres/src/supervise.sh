# Runs a Postgres server, and ends it when the standard input ends: with the test, however that ends.
# usage: supervise.sh BIN FOLDER PORT [COMMAND TO RUN AS A PLAIN USER…]; then lines: stop, kill, start.
bin=$1 folder=$2 port=$3
shift 3

start() {
    "$@" "$bin/postgres" -D "$folder/data" -p "$port" >>"$folder/log" 2>&1 </dev/null &
    pid=$!
}

end() {
    kill -"$1" "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
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
