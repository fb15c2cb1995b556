// SPDX-License-Identifier: GPL-2.0-or-later
// A server that answers requests over TCP, a thread for each connection, with its clients: server SECONDS
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

type Carts = Arc<Mutex<BTreeMap<String, Vec<u64>>>>;

fn price(items: &[u64]) -> u64 {
    let mut sorted = items.to_vec();
    sorted.sort_by(|a, b| (b % 97).cmp(&(a % 97)).then(a.cmp(b)));
    sorted.iter().enumerate().map(|(i, x)| x * (i as u64 + 1) % 1009).sum()
}

fn answer(line: &str, carts: &Carts) -> String {
    let mut words = line.split_whitespace();
    match (words.next(), words.next(), words.next().and_then(|x| x.parse().ok())) {
        (Some("add"), Some(who), Some(item)) => {
            let mut carts = carts.lock().unwrap();
            let cart = carts.entry(who.to_string()).or_default();
            if cart.len() > 300 {
                cart.clear();
            }
            cart.push(item);
            format!("{{\"who\": {:?}, \"items\": {}, \"price\": {}}}\n", who, cart.len(), price(cart))
        }
        _ => "error\n".to_string(),
    }
}

fn serve(stream: TcpStream, carts: Carts) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut out = stream.try_clone()?;
    for line in BufReader::new(stream).lines() {
        out.write_all(answer(&line?, &carts).as_bytes())?;
    }
    Ok(())
}

fn ask(port: u16, name: u64, until: Instant) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut n = name;
    while Instant::now() < until {
        let mut reply = String::new();
        n = n.wrapping_mul(6364136223846793005) % 1000003;
        stream.write_all(format!("add customer{} {}\n", n % 13, n).as_bytes())?;
        reader.read_line(&mut reply)?;
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let seconds = std::env::args().nth(1).and_then(|x| x.parse().ok()).unwrap_or(3);
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    let carts = Carts::default();
    let until = Instant::now() + Duration::from_secs(seconds);
    let clients: Vec<_> = (1..4).map(|i| thread::spawn(move || ask(port, i, until))).collect();
    for stream in listener.incoming().take(3) {
        let (stream, carts) = (stream?, carts.clone());
        thread::spawn(move || serve(stream, carts));
    }
    clients.into_iter().for_each(|c| drop(c.join()));
    Ok(())
}
