/// The profile files that are part of the program.
package enum Profiles {}
