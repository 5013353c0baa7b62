#![no_main]
sylve_fuzz::moves!("hex");
