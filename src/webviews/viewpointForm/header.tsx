import type { JSX } from 'preact';
import { sharingOf } from '../../viewpoints/form/readViewpoint.ts';
import { Checkbox, Icon, TextInput } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';
import type { ViewpointForm } from './form.ts';

/** What the viewpoint is called, what it is about, and whether it can be seen. */
export function Header({ form }: { readonly form: ViewpointForm }): JSX.Element {
  const { page, fields } = form;
  const { name, description, isPublished } = fields.value;
  const isFixed = page.isFixed.value;
  return (
    <header class="header">
      <div class="header-fields">
        <label class="header-label" aria-hidden="true">
          {t('Name')}
        </label>
        <TextInput
          label={t('Name')}
          value={name.value}
          placeholder={t('Shown to the people who use the viewpoint')}
          disabled={isFixed || name.isOdd}
          onInput={(value) => page.edit({ kind: 'text', key: 'name', value })}
        />
        <label class="header-label" aria-hidden="true">
          {t('Description')}
        </label>
        <TextInput
          label={t('Description')}
          value={description.value}
          placeholder={t('What it answers, and for whom')}
          disabled={isFixed || description.isOdd}
          onInput={(value) => page.edit({ kind: 'text', key: 'description', value })}
        />
        <span class="header-label" aria-hidden="true">
          {t('Datamodel')}
        </span>
        <DatamodelLine form={form} />
      </div>
      <div class="header-state">
        <Checkbox
          label={t('Published')}
          isSwitch
          isChecked={isPublished}
          disabled={isFixed}
          onChange={(value) => page.edit({ kind: 'published', value })}
        />
        <SharingLine form={form} />
      </div>
    </header>
  );
}

function DatamodelLine({ form }: { readonly form: ViewpointForm }): JSX.Element {
  const { page, fields } = form;
  const { title } = fields.value.datasource;
  const model = page.model.value;
  const choose = (
    <button
      type="button"
      class="link"
      disabled={page.isFixed.value}
      onClick={() => page.ask({ kind: 'datamodel' })}
    >
      {title === '' ? t('Choose…') : t('Change…')}
    </button>
  );
  return (
    <div class="datamodel-line">
      <Icon name="database" />
      <span class={title === '' ? 'muted' : ''}>{title === '' ? t('None chosen') : title}</span>
      {model.state === 'loading' ? (
        <span class="muted" role="status">
          <Icon name="loading" kind="codicon-modifier-spin" /> {t('Loading its tables…')}
        </span>
      ) : null}
      {model.state === 'none' && title !== '' ? (
        <span class="muted" role="status">
          {t('is not on the current connection: names are not checked.')}
        </span>
      ) : null}
      {model.state === 'failed' ? (
        <span class="model-failed" role="status">
          <Icon name="warning" kind="warning" />
          <span class="text" title={model.message}>
            {model.message}
          </span>
          <button type="button" class="link" onClick={() => page.reloadModel()}>
            {t('Try Again')}
          </button>
        </span>
      ) : null}
      {choose}
    </div>
  );
}

/** Sharing and publishing are separate (spec): what is shared but not published is said to be unseen. */
function SharingLine({ form }: { readonly form: ViewpointForm }): JSX.Element {
  const { apps, groups, users } = form.fields.value;
  const parts = [
    count(apps.values.length, t('1 app'), (many) => t('{0} apps', many)),
    count(groups.values.length, t('1 group'), (many) => t('{0} groups', many)),
    count(users.values.length, t('1 user'), (many) => t('{0} users', many)),
  ].filter((part) => part !== '');
  const sharing = sharingOf(form.fields.value);
  const text = parts.length === 0 ? t('Not shared with anybody') : t('Shared with {0}', parts.join(', '));
  return (
    <p class="sharing-line">
      {sharing === 'shared' ? (
        <>
          <Icon name="eye-closed" kind="warning" />
          <span>{t('{0}, but unseen until it is published', text)}</span>
        </>
      ) : (
        <>
          <Icon name={sharing === 'visible' ? 'eye' : 'lock'} />
          <span>{text}</span>
        </>
      )}
    </p>
  );
}

const count = (number: number, one: string, many: (number: number) => string): string =>
  number === 0 ? '' : number === 1 ? one : many(number);
