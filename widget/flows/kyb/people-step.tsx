// The second step: the people behind the business. Each change is saved at once, because only a
// saved person has a link to send.
import { useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import {
  Button,
  FormDialog,
  Notice,
  Rows,
  SelectField,
  SwitchRow,
  TextField,
} from '../kit/index.ts';
import { sentenceOf } from '../methods/load.ts';
import { save } from './calls.ts';
import { companyOf, isAbroad, peopleOf, type Person } from './draft.ts';
import { personFaults, type Faults } from './faults.ts';
import type { StepProps } from './step.ts';
import { PersonRow } from './person-row.tsx';
import { ownershipText, type Agent, type KybForm, type Role } from './records.ts';
import { StepScreen } from './step-screen.tsx';
import { t, type Key } from '../texts.ts';

const NEW: Person = { agent_name: '', agent_email: '', roles: [] };
const BANDS = ['25-50', '50-75', '75-100'] as const;
const CHOICES: readonly (readonly [Role, Key, Key])[] = [
  ['control_prong', 'kyb.control', 'kyb.control_detail'],
  ['beneficial_owner', 'kyb.owner', 'kyb.owner_detail'],
];

export function PeopleStep(props: StepProps) {
  const { context, form } = props;
  const [editing, setEditing] = useState<Person | null>(null);
  const [problem, setProblem] = useState('');
  const agents = form.entity?.agents ?? [];
  const store = async (people: readonly Person[]): Promise<void> => {
    props.onForm(await save(context, companyOf(form), people), 'people');
    setProblem('');
  };
  const remove = ({ entity_agent_id: id }: Agent): void => {
    const rest = peopleOf(form).filter((one) => one.entity_agent_id !== id);
    store(rest).catch((error: unknown) => setProblem(sentenceOf(error)));
  };
  const go = (): void => {
    const names = agents.every(({ agent_name }) => agent_name !== '');
    if (!names) setProblem(t('kyb.own_name_missing'));
    else if (form.needs.includes('control_prong')) setProblem(t('kyb.control_missing'));
    else if (form.needs.includes('ownership')) setProblem(t('kyb.ownership_needed'));
    else props.onForm(form, 'documents');
  };
  return (
    <>
      <StepScreen
        name="people"
        title={t('kyb.people_title')}
        lead={t('kyb.people_lead')}
        at={1}
        problem={problem}
        busy={false}
        go={t('page.continue')}
        onGo={go}
        onBack={() => props.onForm(form, 'company')}
        onCancel={props.onCancel}
      >
        <Rows>
          {agents.map((agent) => (
            <PersonRow
              key={agent.entity_agent_id}
              context={context}
              agent={agent}
              onEdit={() => setEditing(agent)}
              onRemove={
                agent.roles.includes('primary_contact') ? undefined : () => remove(agent)
              }
            />
          ))}
        </Rows>
        <Button kind="secondary" test="add-person" onClick={() => setEditing(NEW)}>
          {t('kyb.add_person')}
        </Button>
      </StepScreen>
      {editing !== null && (
        <PersonDialog
          context={context}
          form={form}
          person={editing}
          onSave={store}
          onDone={() => setEditing(null)}
        />
      )}
    </>
  );
}

interface PersonDialogProps {
  readonly context: FlowContext;
  readonly form: KybForm;
  readonly person: Person;
  readonly onSave: (people: readonly Person[]) => Promise<void>;
  readonly onDone: () => void;
}

function withPerson(form: KybForm, person: Person): readonly Person[] {
  const { entity_agent_id: id } = person;
  const people = peopleOf(form);
  if (id === undefined) return [...people, person];
  return people.map((one) => (one.entity_agent_id === id ? person : one));
}

/** The bands to choose from, with a percentage that was stated elsewhere. */
function bandsWith(ownership: string): readonly string[] {
  return ownership === '' || BANDS.some((one) => one === ownership) ? BANDS : [ownership, ...BANDS];
}

function PersonDialog({ form, person, onSave, onDone }: PersonDialogProps) {
  const { entity_agent_id: id } = person;
  const [name, setName] = useState(person.agent_name);
  const [email, setEmail] = useState('');
  const [roles, setRoles] = useState<readonly Role[]>(person.roles);
  const [ownership, setOwnership] = useState(person.ownership ?? '');
  const abroad = isAbroad(form);
  const owns = abroad && roles.includes('beneficial_owner');
  const [faults, setFaults] = useState<Faults>({});
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const switched = (role: Role, on: boolean): void =>
    setRoles(on ? [...roles, role] : roles.filter((one) => one !== role));
  const confirm = async (): Promise<void> => {
    const address = email.trim() === '' ? {} : { agent_email: email.trim() };
    const known = id === undefined ? address : { entity_agent_id: id };
    const wish = { ...known, agent_name: name.trim(), roles, ownership: owns ? ownership : '' };
    const others = peopleOf(form).filter((one) => one.entity_agent_id !== id || id === undefined);
    const found = personFaults(wish, others, abroad);
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      await onSave(withPerson(form, wish));
      onDone();
    } catch (error) {
      setBusy(false);
      setProblem(sentenceOf(error));
    }
  };
  return (
    <FormDialog
      title={t(id === undefined ? 'kyb.add_person' : 'kyb.change_person')}
      test="person-dialog"
      confirm={t('page.save')}
      busy={busy}
      onConfirm={() => void confirm()}
      onCancel={onDone}
    >
      <TextField
        label={t('kyb.full_name')}
        test="person-name"
        value={name}
        error={faults['agent_name']}
        maxLength={255}
        onInput={setName}
      />
      {id === undefined && (
        <TextField
          label={t('kyb.person_email')}
          hint={t('kyb.person_email_hint')}
          test="person-email"
          type="email"
          value={email}
          error={faults['agent_email']}
          onInput={setEmail}
        />
      )}
      <Rows>
        {CHOICES.map(([role, title, detail]) => (
          <SwitchRow
            key={role}
            title={t(title)}
            detail={t(detail)}
            test={`role-${role}`}
            checked={roles.includes(role)}
            onChange={(on) => switched(role, on)}
          />
        ))}
      </Rows>
      {owns && (
        <SelectField
          label={t('kyb.ownership')}
          test="person-ownership"
          placeholder={t('page.choose')}
          value={ownership}
          error={faults['ownership']}
          options={bandsWith(ownership).map((one) => ({ value: one, label: ownershipText(one) }))}
          onInput={setOwnership}
        />
      )}
      {(faults['roles'] ?? problem) !== '' && (
        <Notice tone="error" test="person-problem">
          {faults['roles'] ?? problem}
        </Notice>
      )}
    </FormDialog>
  );
}
