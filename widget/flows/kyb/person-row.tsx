// A person behind the business: name, roles, status of their own check, and their verification
// link, which is copied, or shown if the browser forbids copying.
import { useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Button, Notice, Row, TextField } from '../kit/index.ts';
import { sentenceOf } from '../methods/load.ts';
import { linkOf } from './calls.ts';
import { ownershipText, rolesText, type Agent } from './records.ts';
import { t } from '../texts.ts';

interface PersonRowProps {
  readonly context: FlowContext;
  readonly agent: Agent;
  readonly onEdit?: (() => void) | undefined;
  readonly onRemove?: (() => void) | undefined;
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Hooks end with the agent's id: `agent-`, `link-`, `shown-`, `open-`, `edit-`, `remove-`. */
export function PersonRow({ context, agent, onEdit, onRemove }: PersonRowProps) {
  const { entity_agent_id: id, agent_name: name, roles, ownership, status } = agent;
  const own = roles.includes('primary_contact');
  const [link, setLink] = useState('');
  const [problem, setProblem] = useState('');
  const [isCopied, setCopied] = useState(false);
  const [busy, setBusy] = useState(false);
  const make = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      const made = await linkOf(context, id);
      setLink(made);
      setCopied(await copied(made));
    } catch (error) {
      setProblem(sentenceOf(error));
    }
    setBusy(false);
  };
  return (
    <div class="person">
      <Row
        test={`agent-${id}`}
        title={name === '' ? t('kyb.you') : name}
        detail={[rolesText(roles), ownershipText(ownership), t(`kyb.person_${status}`)]
          .filter(Boolean)
          .join(' · ')}
      />
      <div class="row-more">
        {status !== 'ACCEPT' && status !== 'PROCESSING' && (
          <Button
            small
            kind="secondary"
            test={`link-${id}`}
            busy={busy}
            onClick={() => void make()}
          >
            {t(own ? 'kyb.own_link' : 'kyb.copy_link')}
          </Button>
        )}
        {onEdit !== undefined && (
          <Button small kind="quiet" test={`edit-${id}`} onClick={onEdit}>
            {t('page.edit')}
            <span class="unseen"> {name}</span>
          </Button>
        )}
        {onRemove !== undefined && (
          <Button small kind="danger" test={`remove-${id}`} onClick={onRemove}>
            {t('page.remove')}
            <span class="unseen"> {name}</span>
          </Button>
        )}
      </div>
      {link !== '' && (
        <div class="row-more">
          {own ? (
            <a
              class="button button-primary button-small"
              href={link}
              target="_blank"
              rel="noopener"
              data-test={`open-${id}`}
            >
              {t('kyb.open_link')}
            </a>
          ) : (
            <TextField
              label={t(isCopied ? 'kyb.link_copied' : 'kyb.link_shown')}
              hint={t('kyb.link_hint')}
              test={`shown-${id}`}
              value={link}
              onInput={() => {}}
            />
          )}
        </div>
      )}
      {problem !== '' && <Notice tone="error">{problem}</Notice>}
    </div>
  );
}
