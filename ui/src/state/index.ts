export * from "./types";
export { isOver, newCall } from "./call";
export { joined, standingOf, type Drawn, type FileItem, type LaterItem } from "./files";
export { newSession, reduce, reduceAll } from "./session";
export { planOf, type Step } from "./plan";
export { begunBy, lastSay, numberOf, openApprovals, type Asking } from "./select";
export { standing, type Standing, type Status } from "./status";
