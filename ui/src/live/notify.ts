// What the browser tells while the page is in the back: that it is needed, and that a turn has ended.

import { openApprovals, type Session } from "../state";
import type { Frame } from "../wire/frame";

export function notify(frame: Frame, session: Session): void {
  if (!document.hidden || typeof Notification === "undefined" || Notification.permission !== "granted") return;
  const title = session.title || "Tagline";
  const text = wordsOf(frame, session);
  if (!text) return;
  const shown = new Notification(title, { body: text, tag: session.id, icon: "/page/icon.svg" });
  shown.addEventListener("click", () => {
    window.focus();
    shown.close();
  });
}

function wordsOf(frame: Frame, session: Session): string | null {
  if (frame.known !== true) return null;
  if (frame.type === "approval.asked") return `Needs you: ${openApprovals(session).at(-1)?.call.tool.replaceAll("_", " ") ?? "a question"}`;
  if (frame.type === "run.failed") return `Failed: ${frame.message}`;
  return frame.type === "run.finished" ? "Done" : null;
}
