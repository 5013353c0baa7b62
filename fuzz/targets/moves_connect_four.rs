#![no_main]
sylve_fuzz::moves!("connect_four");
