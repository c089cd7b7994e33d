import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonValue } from '../../base/json.ts';
import { Field, TextArea } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';
import { readJsonInput, type JsonInput } from './jsonInput.ts';

/**
 * Edits a part of the document as JSON. `onChange` is called when the typed text is valid JSON that is accepted.
 * `acceptedKind` describes the accepted values to the user, such as "an object".
 */
export function JsonField(props: {
  readonly label: string;
  readonly value: JsonValue;
  readonly disabled: boolean;
  readonly accepts: (value: JsonValue) => boolean;
  readonly acceptedKind: string;
  readonly onChange: (value: JsonValue) => void;
}): JSX.Element {
  const [typedText, setTypedText] = useState<string | undefined>(undefined);
  const input = typedText === undefined ? undefined : readJsonInput(typedText, props.accepts);
  // The typed text is displayed while it cannot be used, or has the same value as the document.
  const showsTypedText =
    input !== undefined &&
    (input.state !== 'usable' || JSON.stringify(input.value) === JSON.stringify(props.value));
  return (
    <Field label={t('JSON')} hint={input && getHint(input.state, props.acceptedKind)}>
      <TextArea
        label={props.label}
        rows={6}
        isCode
        value={showsTypedText ? (typedText ?? '') : JSON.stringify(props.value, undefined, 2)}
        disabled={props.disabled}
        onInput={(text) => {
          setTypedText(text);
          const newInput = readJsonInput(text, props.accepts);
          if (newInput.state === 'usable') {
            props.onChange(newInput.value);
          }
        }}
      />
    </Field>
  );
}

function getHint(state: JsonInput['state'], acceptedKind: string): string | undefined {
  switch (state) {
    case 'usable':
      return undefined;
    case 'invalid':
      return t('Incomplete JSON. The document is unchanged.');
    case 'wrong-kind':
      return t('Expected {0}. The document is unchanged.', acceptedKind);
    case 'loses-digits':
      return t('A number has too many digits for this form. Edit it in the JSON.');
  }
}
