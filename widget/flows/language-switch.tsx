// The switch of the page's language, in the foot of every page.
import { isFlowName } from '../protocol.ts';
import type { Boot } from './flow.ts';
import { keepLanguage, pageLanguage, speak } from './language.ts';
import { t } from './texts.ts';

/** Languages by their own names; nothing where there is one alone. */
export function LanguageSwitch(props: {
  readonly boot: Boot;
  /** The flow whose texts are needed. */
  readonly flow: string;
  readonly onSpoken: () => void;
}) {
  const { boot, flow, onSpoken } = props;
  if (boot.languages.length < 2) return null;
  const choose = (tag: string): void => {
    keepLanguage(tag);
    // A language that does not load leaves the page as it is.
    speak(boot, tag, isFlowName(flow) ? flow : null).then(onSpoken, onSpoken);
  };
  return (
    <p class="languages">
      <select
        aria-label={t('page.language')}
        data-test="language"
        value={pageLanguage()}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {boot.languages.map(({ tag, name }) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </p>
  );
}
