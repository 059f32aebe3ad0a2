#!/bin/sh
# SDFormat drops a force-torque sensor in a fixed joint of a URDF without a word, and the option that keeps it makes a hinge of the joint.
#
# Package:   libsdformat-dev, libsdformat12-12 12.3.0+ds-2, libignition-math-dev, libignition-math6-6 6.10.0+ds3-7+b4, libignition-utils-dev
#            1.2.0+ds-1, libtinyxml2-9 9.0.0+dfsg-3.1, liburdfdom-model3.0 3.0.1-1, libtinyxml2.6.2v5 2.6.2-6+deb12u1, libconsole-bridge1.0
#            1.0.1+dfsg2-3+b1 (Debian 12)
# Expected:  an arm of 1 kg has a tool of 2 kg on a fixed joint, in which a <gazebo> element puts a sensor. The converted model has two links, the
#            fixed joint and its sensor; or the conversion reports an error.
# Behaviour: by default the two links become one of 3 kg. The joint is gone, and its sensor with it, without an error or a line of output: there is
#            nothing left that measures the tool. disableFixedJointLumping in the same element keeps the sensor, in a revolute joint about z
#            whose stops are both at 0: the sensor's moment about z is the moment of two stops, as soft as they are in the engine. Only
#            preserveFixedJoint keeps the fixed joint.
# Output:    default: 0 lines, 0 errors, links of 3 kg; elbow revolute about 0 1 0; 0 sensors
#            disableFixedJointLumping: 0 lines, 0 errors, links of 1 2 kg; elbow revolute about 0 1 0; flange revolute about 0 0 1 from 0 to 0; 1 sensors
#            preserveFixedJoint: 0 lines, 0 errors, links of 1 2 kg; elbow revolute about 0 1 0; flange fixed; 1 sensors
# Source:    src/parser_urdf.cc: FixedJointShouldBeReduced, and CreateJoint, which makes a revolute joint of a fixed one.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libsdformat-dev=12.3.0+ds-2 libsdformat12-12=12.3.0+ds-2 libignition-math-dev=6.10.0+ds3-7+b4 \
    libignition-math6-6=6.10.0+ds3-7+b4 libignition-utils-dev=1.2.0+ds-1 libtinyxml2-9=9.0.0+dfsg-3.1 liburdfdom-model3.0=3.0.1-1 \
    libtinyxml2.6.2v5=2.6.2-6+deb12u1 libconsole-bridge1.0=1.0.1+dfsg2-3+b1
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libsdformat12.so.12' | head -n 1)")

# model FILE OPTION
model() {
    inertia='<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>'
    cat >"$1" <<END
<robot name="robot">
  <link name="world"/>
  <link name="arm"><inertial><mass value="1"/>$inertia</inertial></link>
  <link name="tool"><inertial><mass value="2"/>$inertia</inertial></link>
  <joint name="elbow" type="continuous"><parent link="world"/><child link="arm"/><axis xyz="0 1 0"/></joint>
  <joint name="flange" type="fixed"><parent link="arm"/><child link="tool"/><origin xyz="1 0 0"/></joint>
  <gazebo reference="flange"><sensor name="force" type="force_torque"><update_rate>100</update_rate></sensor>$2</gazebo>
</robot>
END
}
model default.urdf ""
model disableFixedJointLumping.urdf "<disableFixedJointLumping>true</disableFixedJointLumping>"
model preserveFixedJoint.urdf "<preserveFixedJoint>true</preserveFixedJoint>"

cat >read.cpp <<'END'
#include <iostream>
#include <sdf/sdf.hh>

int main(int, char **argv)
{
    sdf::Root root;
    std::cout << root.Load(argv[1]).size() << " errors, links of ";
    const sdf::Model *model = root.Model();
    for (size_t i = 0; i < model->LinkCount(); i++)
        std::cout << model->LinkByIndex(i)->Inertial().MassMatrix().Mass() << " ";
    std::cout << "kg; ";
    size_t sensors = 0;
    for (size_t i = 0; i < model->JointCount(); i++) {
        const sdf::Joint *joint = model->JointByIndex(i);
        const sdf::JointAxis *axis = joint->Axis();
        std::cout << joint->Name();
        if (joint->Type() == sdf::JointType::FIXED)
            std::cout << " fixed";
        else if (joint->Type() == sdf::JointType::REVOLUTE)
            std::cout << " revolute about " << axis->Xyz();
        if (joint->Type() == sdf::JointType::REVOLUTE && axis->Lower() > -1e9)
            std::cout << " from " << axis->Lower() << " to " << axis->Upper();
        std::cout << "; ";
        sensors += joint->SensorCount();
    }
    std::cout << sensors << " sensors\n";
}
END
g++ -std=c++17 -O1 -I"$work/usr/include/sdformat-12.3" -I"$work/usr/include/ignition/math6" -I"$work/usr/include/ignition/utils1" read.cpp -o read \
    "$lib/libsdformat12.so.12" "$lib/libignition-math6.so.6" -Wl,-rpath-link,"$lib"
for kind in default disableFixedJointLumping preserveFixedJoint; do
    HOME="$work" LD_LIBRARY_PATH="$lib" ./read $kind.urdf >got 2>said
    echo "$kind: $(wc -l <said) lines, $(cat got)"
done | tee out
printf '%s\n' 'default: 0 lines, 0 errors, links of 3 kg; elbow revolute about 0 1 0; 0 sensors' \
    'disableFixedJointLumping: 0 lines, 0 errors, links of 1 2 kg; elbow revolute about 0 1 0; flange revolute about 0 0 1 from 0 to 0; 1 sensors' \
    'preserveFixedJoint: 0 lines, 0 errors, links of 1 2 kg; elbow revolute about 0 1 0; flange fixed; 1 sensors' | cmp -s - out ||
    { echo "changed: sensors in fixed joints"; exit 1; }
echo "as described"
