import { ServiceError } from '@tally/service-kit';

type Rest = ConstructorParameters<typeof ServiceError>;

/** Answers of a service that refuses, each with `text of <reason>` as its message. */
export const refusalsOf =
  (service: string) =>
  (reason: string, status: Rest[2], details: Rest[4] = {}) =>
  async (): Promise<never> => {
    throw new ServiceError(service, reason, status, `text of ${reason}`, details);
  };
