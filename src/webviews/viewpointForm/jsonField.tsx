import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonValue } from '../../base/json.ts';
import { Field, TextArea } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';

/** Edits a part of the document as JSON. `onChange` is called when the typed text is valid JSON that is accepted. */
export function JsonField(props: {
  readonly label: string;
  readonly value: JsonValue;
  readonly disabled: boolean;
  readonly accepts: (value: JsonValue) => boolean;
  readonly onChange: (value: JsonValue) => void;
}): JSX.Element {
  const [typedText, setTypedText] = useState<string | undefined>(undefined);
  const parsed = typedText === undefined ? undefined : parse(typedText);
  // The typed text is displayed while it is not valid JSON, or has the same value as the document.
  const showsTypedText =
    typedText !== undefined &&
    (parsed === undefined || JSON.stringify(parsed) === JSON.stringify(props.value));
  return (
    <Field
      label={t('JSON')}
      hint={
        showsTypedText && parsed === undefined ? t('Not complete yet: the document is unchanged.') : undefined
      }
    >
      <TextArea
        label={props.label}
        rows={6}
        isCode
        value={showsTypedText ? typedText : JSON.stringify(props.value, undefined, 2)}
        disabled={props.disabled}
        onInput={(text) => {
          setTypedText(text);
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
    // The text is incomplete; a hint below the field explains it.
    return undefined;
  }
}
