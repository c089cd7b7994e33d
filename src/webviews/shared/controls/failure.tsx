import { t } from '../t.ts';
import { Button, Icon } from './fields.tsx';

/** Replaces a page that could not be loaded with the error and a retry button. */
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
