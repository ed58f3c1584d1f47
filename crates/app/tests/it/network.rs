//! The network of a session's commands, by the program itself.

use std::{fs, net::TcpListener};

use crate::support::Bench;

/// Where this machine gives no networks, `doctor` says so, and there is nothing to test.
fn has_networks(bench: &Bench) -> bool {
    bench.run("doctor --offline").contains("network: its own")
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn commands_reach_each_other_and_are_reached_and_get_nowhere_else() {
    let bench = Bench::new().write("work/page.txt", "hello");
    if !has_networks(&bench) {
        return;
    }
    let canary = TcpListener::bind("127.0.0.1:0").unwrap();
    let (port, elsewhere) = (free_port(), canary.local_addr().unwrap().port());
    let script = format!(
        "=== reply
<execute_command background=\"true\">python3 -m http.server {port} --bind 127.0.0.1</execute_command>
<wait_until port=\"{port}\" seconds=\"60\"/>
<execute_command><![CDATA[exec 3<>/dev/tcp/127.0.0.1/{port} && printf 'GET /page.txt HTTP/1.0\\r\\n\\r\\n' >&3 && tail -n 1 <&3 > inside.txt]]></execute_command>
<execute_command><![CDATA[(exec 3<>/dev/tcp/127.0.0.1/{elsewhere}) 2> /dev/null || echo held > outside.txt]]></execute_command>
<execute_command network=\"true\"><![CDATA[echo $HTTPS_PROXY | sed 's/:[^:]*@.*//' > proxy.txt; (exec 3<>/dev/tcp/127.0.0.1/{elsewhere}) 2> /dev/null || echo held >> proxy.txt]]></execute_command>
=== reply
=== expect contains port {port} answers
<attempt_completion>done</attempt_completion>
"
    );
    let bench = bench.write("script.txt", &script);
    let shown = bench.run("run --model script/../script.txt --mode full --no-server try");
    let read = |name: &str| fs::read_to_string(bench.path("work").join(name)).unwrap_or_default();
    assert_eq!(read("inside.txt"), "hello", "{shown}");
    assert_eq!(read("outside.txt"), "held\n", "{shown}");
    assert_eq!(read("proxy.txt"), "http://tagline\nheld\n", "{shown}");
    canary.set_nonblocking(true).unwrap();
    assert!(canary.accept().is_err());
}
