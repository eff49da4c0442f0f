export { type CarriedRequest, NestContainer, type NestContainerOptions } from '../providers/nest.js';
export { principalOfUser } from './core/identity.js';
