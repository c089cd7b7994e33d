import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { FormPage } from '../formPage.ts';
import { focusMainControl } from '../restoreFocus.ts';
import { t } from '../t.ts';
import { Icon } from './fields.tsx';
import { NotEditableNotice, Notice } from './notices.tsx';

/** The page of a form. Until the document has arrived, it shows a loading message and does not call `children`. */
export function FormMain<Edit, Question>(props: {
  readonly page: FormPage<Edit, Question>;
  readonly title: () => string;
  readonly children: () => ComponentChildren;
}): JSX.Element {
  const { page } = props;
  const isLoaded = page.document.value !== undefined;
  useEffect(() => {
    if (isLoaded) {
      focusMainControl();
    }
  }, [isLoaded]);
  if (!isLoaded) {
    return (
      <main class="page">
        {page.error.value === undefined ? (
          <p class="empty" role="status">
            {t('Loading…')}
          </p>
        ) : (
          <>
            <h1 class="sr-only">{t('Invalid JSON')}</h1>
            <NotEditableNotice page={page} />
          </>
        )}
      </main>
    );
  }
  const title = props.title();
  return (
    <main class="page" aria-label={title}>
      <h1 class="sr-only">{title}</h1>
      <NotEditableNotice page={page} />
      {page.isDeleted.value ? (
        <Notice severity="warning" text={t('This file was deleted. To create it again, save the form.')} />
      ) : null}
      {props.children()}
    </main>
  );
}

/** The datamodel of a document, whether its tables are loaded, and links to retry or to select a datamodel. */
export function DatamodelStatus<Edit, Question>(props: {
  readonly page: FormPage<Edit, Question>;
  /** The title of the datamodel; empty if the document names none. */
  readonly title: string;
  readonly emptyText: string;
  /** Further information, such as the server of the datamodel. */
  readonly detail?: string | undefined;
  /** The link that lets the user select another datamodel. */
  readonly selectAction?:
    | { readonly label: string; readonly disabled?: boolean; readonly run: () => void }
    | undefined;
}): JSX.Element {
  const { page, title, detail, selectAction } = props;
  const datamodel = page.datamodel.value;
  return (
    <div class="datamodel-line">
      <Icon name="database" />
      <span class={title === '' ? 'muted' : ''}>{title === '' ? props.emptyText : title}</span>
      {detail === undefined ? null : <span class="muted">{detail}</span>}
      {datamodel.state === 'loading' ? (
        <span class="muted" role="status">
          <Icon name="loading" className="codicon-modifier-spin" /> {t('Loading tables…')}
        </span>
      ) : null}
      {datamodel.state === 'none' && title !== '' ? (
        <span class="muted" role="status">
          {t("Not on the current connection. Names aren't checked.")}
        </span>
      ) : null}
      {datamodel.state === 'failed' ? (
        <span class="model-failed" role="status">
          <Icon name="warning" className="warning" />
          <span class="text" title={datamodel.message}>
            {datamodel.message}
          </span>
          <button type="button" class="link" onClick={() => page.reloadDatamodel()}>
            {t('Retry')}
          </button>
        </span>
      ) : null}
      {selectAction === undefined ? null : (
        <button
          type="button"
          class="link"
          disabled={selectAction.disabled ?? false}
          onClick={selectAction.run}
        >
          {selectAction.label}
        </button>
      )}
    </div>
  );
}
