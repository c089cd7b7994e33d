import { between, caretAt, isInComment } from '../completion/caret.ts';
import type { ExpressionContext } from '../context.ts';
import { functionNamed, signatureOf } from '../functions/catalogue.ts';
import { hintsFor, lexFor } from '../parsing.ts';

/** The function around the caret and the argument the caret is in. */
export interface SignatureHelp {
  readonly label: string;
  readonly parameters: readonly string[];
  readonly activeParameter: number;
  readonly meaning: string;
  readonly unverified: boolean;
}

/** Help for the innermost call around the offset, if its function is known. */
export function signatureHelpAt(
  text: string,
  offset: number,
  context: ExpressionContext,
): SignatureHelp | undefined {
  const lexed = lexFor(text, context);
  if (isInComment(lexed, offset)) {
    return undefined;
  }
  // Inside a text or number nothing is proposed, but the call around it is still the one being written.
  const place = caretAt(lexed, offset) ?? between(lexed, offset);
  const { call } = hintsFor(place, context);
  const info = call === undefined ? undefined : functionNamed(call.name.text);
  if (call === undefined || info === undefined) {
    return undefined;
  }
  const { parameters, meaning, verified } = info;
  const last = Math.max(0, parameters.length - 1);
  return {
    label: signatureOf(info),
    parameters,
    activeParameter: parameters.some((name) => name.startsWith('…'))
      ? Math.min(call.index, last)
      : call.index,
    meaning,
    unverified: !verified,
  };
}
