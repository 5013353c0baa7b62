#![no_main]
sylve_fuzz::position!("go");
