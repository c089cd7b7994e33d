import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../t.ts';
import { useRowFocus } from '../useRowFocus.ts';
import { Button, Icon, IconButton } from './fields.tsx';

export interface ListEntry {
  readonly key: string;
  readonly label: string;
  /** Additional text beside the label, such as an ID. */
  readonly description?: string | undefined;
}

/** A list with buttons to add and remove entries, in the style of VS Code's settings editor. */
export function ListEditor(props: {
  readonly label: string;
  readonly icon: string;
  readonly entries: readonly ListEntry[];
  readonly emptyText: string;
  /**
   * True if the list must not be empty: while it is, it shows an error, and the button that adds an entry is the main
   * control of the page (`restoreFocus.ts`).
   */
  readonly isRequired?: boolean;
  readonly addLabel: string;
  readonly disabled: boolean;
  readonly onAdd: () => void;
  readonly onRemove: (index: number) => void;
}): JSX.Element {
  const container = useRef<HTMLDivElement>(null);
  const rememberFocus = useRowFocus(container, props.entries);
  return (
    <div class="list-editor" ref={container}>
      {props.entries.length === 0 ? (
        <p class="list-empty">
          {props.isRequired === true ? <Icon name="error" className="error" /> : null}
          {props.emptyText}
        </p>
      ) : (
        <ul class="list" aria-label={props.label}>
          {props.entries.map(({ key, label, description }, index) => (
            <li class="list-row" key={key} data-row>
              <Icon name={props.icon} />
              <span class="list-label">{label}</span>
              {description === undefined ? null : <span class="list-description">{description}</span>}
              <IconButton
                icon="close"
                label={t('Remove {0}', label)}
                disabled={props.disabled}
                onClick={() => {
                  rememberFocus();
                  props.onRemove(index);
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <Button
        label={props.addLabel}
        isMain={props.isRequired === true && props.entries.length === 0}
        disabled={props.disabled}
        onClick={props.onAdd}
      />
    </div>
  );
}
