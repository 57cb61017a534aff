# Process 1 hears only the signals that it asked for, and bash only between commands: so each of them is waited for.
trap 'exit 0' TERM INT
until mongosh --quiet --norc --file /etc/server/setup.js & wait $!; do
  sleep 2 & wait $!
done
sleep infinity & wait $!
