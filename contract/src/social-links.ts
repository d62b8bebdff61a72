export const socialLinks = ["twitter", "instagram", "facebook", "line"] as const;
