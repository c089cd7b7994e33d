import { createHash } from 'node:crypto';

/** The address and tenant of an instance, as connections and environments have them. */
export interface InstanceAddress {
  readonly url: string;
  readonly tenantId?: string | undefined;
}

/** Stands for the address of the editor's sandbox in a project, because its URL changes with each start. */
export const sandboxAddress = 'sandbox';

/**
 * Returns a hash that identifies an instance in a lock file. A lock must not be used for another instance: everything
 * would appear changed or deleted there.
 */
export const hashInstance = ({ url, tenantId = '' }: InstanceAddress): string =>
  createHash('sha256')
    .update(JSON.stringify([url, tenantId]))
    .digest('hex')
    .slice(0, 16);
