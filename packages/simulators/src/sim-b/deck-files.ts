/** The card deck; the simulator names its output files after it. */
export const INPUT_FILE = 'fl_sim.inp';
