// Two lists under one heading; arrows, Home and End move between the tabs.
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

interface TabsProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly at: number;
  readonly onChoose: (at: number) => void;
  /** Of the chosen tab. */
  readonly children: ComponentChildren;
}

/** Hooks are `tab-0`, `tab-1`. */
export function Tabs({ label, names, at, onChoose, children }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const go = (event: KeyboardEvent): void => {
    const back = document.documentElement.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    const step = event.key === back ? -1 : 1;
    const keys = ['ArrowLeft', 'ArrowRight'].includes(event.key);
    const ends: Readonly<Record<string, number>> = { Home: 0, End: names.length - 1 };
    const next = keys ? (at + step + names.length) % names.length : ends[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next);
    (list.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="stack">
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={go}>
        {names.map((name, index) => (
          <button
            key={name}
            id={`tab-${index}`}
            type="button"
            role="tab"
            class="tab"
            data-test={`tab-${index}`}
            aria-selected={index === at}
            aria-controls="tab-panel"
            tabIndex={index === at ? 0 : -1}
            onClick={() => onChoose(index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${at}`}>
        {children}
      </div>
    </div>
  );
}
