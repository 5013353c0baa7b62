#![no_main]
sylve_fuzz::moves!("tic_tac_toe");
