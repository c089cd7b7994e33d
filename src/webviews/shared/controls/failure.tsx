import { t } from '../t.ts';
import { Button, Icon } from './fields.tsx';

/** What could not be loaded, in place of the page, with a way to try again. */
export function Failure({ message, retry }: { readonly message: string; readonly retry: () => void }) {
  return (
    <div class="empty" role="alert">
      <p>
        <Icon name="error" kind="error" /> {message}
      </p>
      <Button label={t('Try Again')} isPrimary onClick={retry} />
    </div>
  );
}
