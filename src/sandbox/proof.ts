import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The process ID and port of a sandbox that proves its identity. */
export interface ProcessAddress {
  readonly pid: number;
  readonly port: number;
}

/** Creates a random challenge of 32 hex digits. */
export const createChallenge = (): string => randomBytes(16).toString('hex');

export const isChallenge = (text: string | undefined): text is string => /^[0-9a-f]{32}$/.test(text ?? '');

/**
 * Creates a proof that its creator knows the administrator's token, without sending the token. It is valid for one
 * challenge, process and port only, so that another process cannot forward it as its own.
 */
export const createProof = (adminToken: string, challenge: string, { pid, port }: ProcessAddress): string =>
  createHmac('sha256', adminToken).update(`${challenge} ${pid} ${port}`).digest('hex');

/** Compares a received proof with the expected one in constant time. */
export function verifyProof(proof: unknown, expected: string): boolean {
  const actualBytes = Buffer.from(typeof proof === 'string' ? proof : '');
  const expectedBytes = Buffer.from(expected);
  return actualBytes.length === expectedBytes.length && timingSafeEqual(actualBytes, expectedBytes);
}
