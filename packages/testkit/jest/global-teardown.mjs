import { closeInfrastructure } from './run-infrastructure.mjs';

export default closeInfrastructure;
