import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Who is asked to prove itself: which process, where. */
export interface ProofSubject {
  readonly pid: number;
  readonly port: number;
}

/** A question that was never asked before. */
export const createChallenge = (): string => randomBytes(16).toString('hex');

export const isChallenge = (text: string | undefined): text is string => /^[0-9a-f]{32}$/.test(text ?? '');

/**
 * What only the process that has the administrator's token can say. It is good for one question and one port, so that
 * nobody can have it said by the sandbox and pass it on.
 */
export const createProof = (adminToken: string, challenge: string, { pid, port }: ProofSubject): string =>
  createHmac('sha256', adminToken).update(`${challenge} ${pid} ${port}`).digest('hex');

/** Whether an answer is the proof, in a time that does not tell how much of it is right. */
export function verifyProof(answer: unknown, expected: string): boolean {
  const sent = Buffer.from(typeof answer === 'string' ? answer : '');
  const wanted = Buffer.from(expected);
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
}
