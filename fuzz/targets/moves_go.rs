#![no_main]
sylve_fuzz::moves!("go");
