/** Told apart on light and dark ground, and by most who see colours differently. */
export const COLOURS = ["#2a8fbd", "#d9822b", "#3a9d5d", "#b65fcf", "#c9463d", "#8c8c2e", "#5d7bd6", "#d1578c", "#4aa3a0", "#8a6d5a"];
