import type { NetworkFailure } from './transport.ts';

/** What is wrong with an answer that came. */
export type SchemaProblem = 'html' | 'empty' | 'truncated' | 'not-utf-8' | 'not-json' | 'wrong-shape';

/** What happened, for the shell to word. Closed: a `switch` over it can be complete. */
export type ErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'administrator-required'
  | 'not-found'
  | 'needs-version'
  | 'not-offered'
  | 'conflict'
  | 'request-too-large'
  | 'too-many-requests'
  | 'rejected'
  | 'server-error'
  | `network-${NetworkFailure}`
  | 'timeout'
  | `answer-${SchemaProblem}`
  | 'answer-too-large'
  | 'redirected'
  | 'read-only'
  | 'locked'
  | 'cancelled'
  | 'connection-closed'
  | 'signed-out'
  | 'bad-token'
  | 'bad-address'
  | 'invalid-request'
  | 'rule-too-large';

/** What may help, for the shell to word and to offer. */
export type Remedy =
  | 'sign-in'
  | 'ask-administrator'
  | 'check-address'
  | 'check-version'
  | 'check-network'
  | 'check-proxy'
  | 'check-certificate'
  | 'reload'
  | 'fix-input'
  | 'make-smaller'
  | 'wait'
  | 'repeat'
  | 'look-before-repeating'
  | 'unlock'
  | 'use-other-connection'
  | 'none';
