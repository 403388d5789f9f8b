import { openInfrastructure } from './run-infrastructure.mjs';

export default openInfrastructure;
