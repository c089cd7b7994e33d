import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonValue } from '../../base/json.ts';
import { Field, TextArea } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';
import { readTypedJson, type TypedJson } from './typedJson.ts';

/**
 * Edits a part of the document as JSON. `onChange` is called when the typed text is valid JSON that is accepted;
 * `acceptedKind` names what is, for the user.
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
  const typed = typedText === undefined ? undefined : readTypedJson(typedText, props.accepts);
  // The typed text is displayed while it cannot be used, or has the same value as the document.
  const showsTypedText =
    typed !== undefined &&
    (typed.state !== 'usable' || JSON.stringify(typed.value) === JSON.stringify(props.value));
  return (
    <Field label={t('JSON')} hint={typed && getHint(typed.state, props.acceptedKind)}>
      <TextArea
        label={props.label}
        rows={6}
        isCode
        value={showsTypedText ? (typedText ?? '') : JSON.stringify(props.value, undefined, 2)}
        disabled={props.disabled}
        onInput={(text) => {
          setTypedText(text);
          const newTyped = readTypedJson(text, props.accepts);
          if (newTyped.state === 'usable') {
            props.onChange(newTyped.value);
          }
        }}
      />
    </Field>
  );
}

function getHint(state: TypedJson['state'], acceptedKind: string): string | undefined {
  switch (state) {
    case 'usable':
      return undefined;
    case 'incomplete':
      return t('Not complete yet: the document is unchanged.');
    case 'wrong-kind':
      return t('This must be {0}: the document is unchanged.', acceptedKind);
    case 'loses-digits':
      return t('A number has too many digits for this form: change it in the text of the document.');
  }
}
