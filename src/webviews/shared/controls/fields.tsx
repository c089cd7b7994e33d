import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { getShortcutAttributes, type Shortcut } from '../shortcuts.ts';

/** A codicon. It is hidden from screen readers, so the text beside it must convey the same meaning. */
export function Icon({
  name,
  className = '',
}: {
  readonly name: string;
  readonly className?: string;
}): JSX.Element {
  return <span class={`codicon codicon-${name} ${className}`} aria-hidden="true" />;
}

/** A button with an icon and a tooltip, as in the toolbars of VS Code. */
export function IconButton(props: {
  readonly icon: string;
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly tabIndex?: number;
}): JSX.Element {
  return (
    <button
      type="button"
      class="icon-button"
      title={props.label}
      aria-label={props.label}
      disabled={props.disabled ?? false}
      tabIndex={props.tabIndex ?? 0}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </button>
  );
}

/** A form field: a visible label, its control (which needs an `aria-label` of its own), and a description below. */
export function Field(props: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="field">
      <span class="field-label" aria-hidden="true">
        {props.label}
      </span>
      <div class="field-control">
        {props.children}
        {props.hint === undefined ? null : <p class="field-hint">{props.hint}</p>}
      </div>
    </div>
  );
}

const getValue = (event: Event): string => {
  const { target } = event;
  return target !== null && 'value' in target && typeof target.value === 'string' ? target.value : '';
};

/** A text field; `onInput` is called with each keystroke. */
export function TextInput(props: {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly id?: string;
  readonly onInput: (value: string) => void;
}): JSX.Element {
  return (
    <vscode-textfield
      {...(props.id === undefined ? {} : { id: props.id })}
      label={props.label}
      value={props.value}
      placeholder={props.placeholder ?? ''}
      disabled={props.disabled ?? false}
      onInput={(event: Event) => props.onInput(getValue(event))}
    />
  );
}

/** A multi-line text field; `onInput` is called with each keystroke. */
export function TextArea(props: {
  readonly label: string;
  readonly value: string;
  readonly rows: number;
  readonly isCode?: boolean;
  readonly disabled?: boolean | undefined;
  readonly onInput: (value: string) => void;
}): JSX.Element {
  return (
    <vscode-textarea
      label={props.label}
      value={props.value}
      rows={props.rows}
      monospace={props.isCode ?? false}
      disabled={props.disabled ?? false}
      onInput={(event: Event) => props.onInput(getValue(event))}
    />
  );
}

export interface SelectOption {
  readonly value: string;
  readonly label: string;
}

/** The option displayed if the selected items have different values. No value in a document equals its `value`. */
const mixedOption: SelectOption = { value: '\u0000', label: '' };

/** A drop-down list. A value that has no option is displayed as is. */
export function Dropdown(props: {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly SelectOption[];
  /** Set if the selected items have different values: the label to display instead of a value. */
  readonly mixedLabel?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  const hasOption =
    props.mixedLabel === undefined && props.choices.some(({ value }) => value === props.value);
  const unlistedOption =
    props.mixedLabel === undefined ? { value: props.value, label: props.value } : mixedOption;
  const choices = hasOption
    ? props.choices
    : [{ ...unlistedOption, label: props.mixedLabel ?? unlistedOption.label }, ...props.choices];
  return (
    <div class="select">
      <select
        aria-label={props.label}
        value={props.mixedLabel === undefined ? props.value : mixedOption.value}
        disabled={props.disabled ?? false}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" />
    </div>
  );
}

/** A check box or switch with its label, and a description below. */
export function Checkbox(props: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isChecked: boolean;
  readonly isSwitch?: boolean;
  readonly disabled?: boolean | undefined;
  readonly onChange: (isChecked: boolean) => void;
}): JSX.Element {
  const id = useId();
  const hint = props.hint === undefined ? undefined : `${id}-hint`;
  return (
    <div class="checkbox">
      <input
        type="checkbox"
        id={id}
        {...(props.isSwitch === true ? { role: 'switch' as const } : {})}
        checked={props.isChecked}
        disabled={props.disabled ?? false}
        aria-describedby={hint}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <label for={id}>{props.label}</label>
      {hint === undefined ? null : (
        <p class="field-hint" id={hint}>
          {props.hint}
        </p>
      )}
    </div>
  );
}

/** Radio buttons, each with a description. */
export function RadioGroup<Value extends string>(props: {
  readonly label: string;
  readonly value: Value | undefined;
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly hint: string }[];
  readonly disabled?: boolean | undefined;
  readonly onChange: (value: Value) => void;
}): JSX.Element {
  const name = useId();
  return (
    <fieldset class="radios">
      <legend>{props.label}</legend>
      {props.choices.map(({ value, label, hint }) => (
        <div class="checkbox" key={value}>
          <input
            type="radio"
            id={`${name}-${value}`}
            name={name}
            checked={value === props.value}
            disabled={props.disabled ?? false}
            aria-describedby={`${name}-${value}-hint`}
            onChange={() => props.onChange(value)}
          />
          <label for={`${name}-${value}`}>{label}</label>
          <p class="field-hint" id={`${name}-${value}-hint`}>
            {hint}
          </p>
        </div>
      ))}
    </fieldset>
  );
}

/** A button with a text label, and optionally an icon. */
export function Button(props: {
  readonly label: string;
  readonly icon?: string;
  readonly isPrimary?: boolean;
  readonly disabled?: boolean | undefined;
  readonly shortcut?: Shortcut;
  /** True if the button, rather than the first control, gets the focus when the page opens. */
  readonly isMain?: boolean;
  readonly onClick: () => void;
}): JSX.Element {
  return (
    <button
      type="button"
      data-main={props.isMain === true ? '' : undefined}
      class={props.isPrimary === true ? 'button primary' : 'button'}
      disabled={props.disabled ?? false}
      {...(props.shortcut === undefined ? {} : getShortcutAttributes(props.label, props.shortcut))}
      onClick={props.onClick}
    >
      {props.icon === undefined ? null : <Icon name={props.icon} />}
      {props.label}
    </button>
  );
}
