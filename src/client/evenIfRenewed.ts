import { ConnectionClosedError } from './connectionClosed.ts';

/**
 * Reads something, once more where the client was closed meanwhile: a connection that is made anew (its settings have
 * changed, a refresh was asked for) takes away what others were waiting for, and none of them had asked for that.
 * @param read finds its client by itself
 */
export async function evenIfRenewed<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ConnectionClosedError) {
      return read();
    }
    throw error;
  }
}
