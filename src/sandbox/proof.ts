import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The process that must prove itself: its id and its port. */
export interface ProofSubject {
  readonly pid: number;
  readonly port: number;
}

/** Creates a challenge that was never used before. */
export const createChallenge = (): string => randomBytes(16).toString('hex');

export const isChallenge = (text: string | undefined): text is string => /^[0-9a-f]{32}$/.test(text ?? '');

/**
 * A proof that only the process with the administrator's token can create. It is valid for one challenge and one port,
 * so that no one can obtain it from the sandbox and pass it on.
 */
export const createProof = (adminToken: string, challenge: string, { pid, port }: ProofSubject): string =>
  createHmac('sha256', adminToken).update(`${challenge} ${pid} ${port}`).digest('hex');

/** Returns true if an answer is the proof, in a time that does not reveal how much of it is right. */
export function verifyProof(answer: unknown, expected: string): boolean {
  const sent = Buffer.from(typeof answer === 'string' ? answer : '');
  const wanted = Buffer.from(expected);
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
}
