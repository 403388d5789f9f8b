// Physical constants (CODATA 2018) and units: energies MeV, lengths cm, mass thickness g/cm².

export const ELECTRON_MASS: f64 = 0.51099895;
export const PROTON_MASS: f64 = 938.27208816;
export const NEUTRON_MASS: f64 = 939.56542052;
export const ATOMIC_MASS_UNIT: f64 = 931.49410242;
export const FINE_STRUCTURE: f64 = 1.0 / 137.035999;
/** 4π N_A r_e² m_e c², MeV cm²/mol. */
export const BETHE_K: f64 = 0.307075;
/** N_A in 1/mol times one millibarn in cm². */
export const AVOGADRO_MILLIBARN: f64 = 6.02214076e-4;
/** Infinity enough for a path length, cm. */
export const FAR: f64 = 1e30;
