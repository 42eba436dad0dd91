import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** A browser draws no element taller than this; a list that would be is squeezed. */
const HEIGHT_MAX = 8_000_000;

const SPARE = 8;

/**
 * A long list of which only the rows in sight exist. Rows have one height. Where it would be taller than a
 * browser can draw, a pixel of its bar stands for more than a pixel of the list.
 */
export function Rows({ count, height, label, render, onRange, header, class: more, role = "table" }: {
  count: number; height: number; label: string; render: (index: number) => ComponentChildren; onRange?: (from: number, to: number) => void;
  header?: ComponentChildren; class?: string; role?: "table" | "list";
}) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, tall: 600 });
  useLayoutEffect(() => {
    const element = box.current!;
    const look = () => setView({ top: element.scrollTop, tall: element.clientHeight });
    look();
    element.addEventListener("scroll", look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      resized.disconnect();
    };
  }, []);
  const real = count * height;
  const tall = Math.min(real, HEIGHT_MAX);
  const squeeze = tall > view.tall ? (real - view.tall) / (tall - view.tall) : 1;
  const top = Math.max(0, Math.min(view.top * squeeze, real - view.tall));
  const from = Math.max(0, Math.floor(top / height) - SPARE);
  const to = Math.min(count, Math.ceil((top + view.tall) / height) + SPARE);
  useEffect(() => onRange?.(from, to), [from, to, onRange]);
  const rows = [];
  for (let i = from; i < to; i++) rows.push(render(i));
  return (
    <div class={`rows ${more ?? ""}`} role={role} aria-label={label} aria-rowcount={role === "table" ? count + 1 : undefined}>
      {header}
      <div class="scroll" ref={box} tabIndex={0} role={role === "table" ? "rowgroup" : undefined} aria-label={label}>
        <div class="whole" style={{ height: `${tall}px` }} role="presentation">
          <div class="seen" style={{ transform: `translateY(${view.top + from * height - top}px)` }} role="presentation">{rows}</div>
        </div>
      </div>
    </div>
  );
}
