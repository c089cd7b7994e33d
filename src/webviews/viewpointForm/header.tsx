import type { JSX } from 'preact';
import { getSharingState } from '../../viewpoints/form/readViewpoint.ts';
import { Checkbox, Icon, TextInput } from '../shared/controls/fields.tsx';
import { DatamodelStatus } from '../shared/controls/formLayout.tsx';
import { t } from '../shared/t.ts';
import type { ViewpointFormModel } from './viewpointFormModel.ts';

/** The fields of the viewpoint itself: name, description, datamodel, and whether it is published and shared. */
export function Header({ form }: { readonly form: ViewpointFormModel }): JSX.Element {
  const { page, fields } = form;
  const { name, description, isPublished, datasource } = fields.value;
  const { title } = datasource;
  const isLocked = page.isLocked.value;
  return (
    <header class="header">
      <div class="header-fields">
        <label class="header-label" aria-hidden="true">
          {t('Name')}
        </label>
        <TextInput
          label={t('Name')}
          value={name.value}
          placeholder={t('Shown to users of the viewpoint')}
          disabled={isLocked || name.isUnsupported}
          onInput={(value) => page.edit({ kind: 'text', key: 'name', value })}
        />
        <label class="header-label" aria-hidden="true">
          {t('Description')}
        </label>
        <TextInput
          label={t('Description')}
          value={description.value}
          placeholder={t('The questions that the viewpoint answers, and who asks them')}
          disabled={isLocked || description.isUnsupported}
          onInput={(value) => page.edit({ kind: 'text', key: 'description', value })}
        />
        <span class="header-label" aria-hidden="true">
          {t('Datamodel')}
        </span>
        <DatamodelStatus
          page={page}
          title={title}
          emptyText={t('None selected')}
          selectAction={{
            label: title === '' ? t('Select…') : t('Change…'),
            disabled: isLocked,
            run: () => page.askHost({ kind: 'datamodel' }),
          }}
        />
      </div>
      <div class="header-state">
        <Checkbox
          label={t('Published')}
          isSwitch
          isChecked={isPublished}
          disabled={isLocked}
          onChange={(value) => page.edit({ kind: 'published', value })}
        />
        <SharingStatus form={form} />
      </div>
    </header>
  );
}

/**
 * Shows who the viewpoint is shared with. Sharing and publishing are separate (rest-api.md, "Viewpoint"): a warning is
 * shown if the viewpoint is shared but not published.
 */
function SharingStatus({ form }: { readonly form: ViewpointFormModel }): JSX.Element {
  const { apps, groups, users } = form.fields.value;
  const shareCountTexts = [
    formatCount(apps.values.length, t('1 app'), (count) => t('{0} apps', count)),
    formatCount(groups.values.length, t('1 group'), (count) => t('{0} groups', count)),
    formatCount(users.values.length, t('1 user'), (count) => t('{0} users', count)),
  ].filter((shareCount) => shareCount !== '');
  const sharing = getSharingState(form.fields.value);
  const text =
    shareCountTexts.length === 0 ? t('Not shared') : t('Shared with {0}', shareCountTexts.join(', '));
  return (
    <p class="sharing-line">
      {sharing === 'shared' ? (
        <>
          <Icon name="eye-closed" className="warning" />
          <span>{t('{0}, but not visible until it is published', text)}</span>
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

const formatCount = (count: number, singular: string, formatPlural: (count: number) => string): string =>
  count === 0 ? '' : count === 1 ? singular : formatPlural(count);
