import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonValue } from '../../base/json.ts';
import { Field, TextArea } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';

/** A part of the document as JSON. Typed text is reported once it is complete; until then it is only shown. */
export function JsonField(props: {
  readonly label: string;
  readonly value: JsonValue;
  readonly disabled: boolean;
  readonly accepts: (value: JsonValue) => boolean;
  readonly onChange: (value: JsonValue) => void;
}): JSX.Element {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const read = typed === undefined ? undefined : parse(typed);
  // Typed text stays on the screen while it is incomplete, or has the same value as the document.
  const isOurs =
    typed !== undefined && (read === undefined || JSON.stringify(read) === JSON.stringify(props.value));
  return (
    <Field
      label={t('JSON')}
      hint={isOurs && read === undefined ? t('Not complete yet: the document is unchanged.') : undefined}
    >
      <TextArea
        label={props.label}
        rows={6}
        isCode
        value={isOurs ? typed : JSON.stringify(props.value, undefined, 2)}
        disabled={props.disabled}
        onInput={(text) => {
          setTyped(text);
          const value = parse(text);
          if (value !== undefined && props.accepts(value)) {
            props.onChange(value);
          }
        }}
      />
    </Field>
  );
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // Half-typed: the hint under the field explains it.
    return undefined;
  }
}
