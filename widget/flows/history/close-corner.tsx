// The close button of a screen that only shows something.
import type { FlowContext } from '../flow.ts';
import { CloseIcon, IconButton } from '../kit/index.ts';
import { t } from '../texts.ts';

/** Ends the flow, unless the page hides its exits. [public-facts 4.4] */
export function CloseCorner({ context }: { readonly context: FlowContext }) {
  if (context.config.hideExitButtons === true) return null;
  const close = (): void => {
    context.finish({ state: 'complete', trigger: 'header-close-button' });
  };
  return (
    <div class="corner">
      <IconButton label={t('page.close')} test="close" onClick={close}>
        <CloseIcon />
      </IconButton>
    </div>
  );
}
