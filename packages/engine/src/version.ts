/** Version of the engine's physics and output; equal to the package's version, which is not that of the suite. */
export const ENGINE_VERSION = '0.2.3';

/** How the engine names itself in results and logs. */
export const ENGINE_NAME = `reference ${ENGINE_VERSION}`;
