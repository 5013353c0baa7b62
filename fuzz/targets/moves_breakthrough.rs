#![no_main]
sylve_fuzz::moves!("breakthrough");
